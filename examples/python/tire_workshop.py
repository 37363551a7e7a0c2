# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Tire workshop
# Curves of a tire, the test rig, an MF-Tyre file, and a fit to measured points.

# %%
import os

import numpy as np

import vdsim

PICTURES = os.environ.get("VDSIM_PICTURES", ".")

# %% The steady law, at as many points as you like: arrays broadcast.
tire = vdsim.Tire.preset("default_pacejka")
alpha = np.radians(np.linspace(0, 15, 61))
loads = np.array([2000.0, 4000.0, 6000.0])
curves = tire.eval(loads[:, None], alpha=alpha)["fy"]
for fz, fy in zip(loads, curves):
    print(f"{fz:.0f} N: largest side force {-fy.min():.0f} N at {np.degrees(alpha[fy.argmin()]):.1f} deg")

# %% The rig moves one tire in time: half a metre after a step of the slip angle the force has not yet come.
rig = vdsim.Rig(tire)
v, slip = 20.0, np.radians(2)
omega = v / 0.32
motion = {"t": [0, 0.01, 0.0101, 0.3], "omega": omega, "vx": v, "vy": [0, 0, v * np.tan(slip), v * np.tan(slip)], "fz": 4000}
response = rig.run(motion, dt=5e-4)
share = response.fy / response.fy[-1]
print("63 % of the force after", round(v * float(response.t[np.argmax(share > 0.632)] - 0.01), 2), "m")

# %% An MF-Tyre file is a tire like any other.
configs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs")
tir = vdsim.Tire.from_tir(os.path.join(configs, "tir", "typical_235_45R18_mf62.tir"))
vdsim.draw([
    vdsim.panel([(f"{fz:.0f} N", np.degrees(alpha), -fy) for fz, fy in zip(loads, curves)]
                + [(f"{fz:.0f} N, .tir", np.degrees(alpha), -tir.eval(fz, alpha=alpha)["fy"], "dashed") for fz in loads],
                "slip angle [deg]", "side force [N]", "Two tires"),
    vdsim.panel([("", v * (response.t - 0.01), -response.fy)], "way after the step [m]", "side force [N]",
                "The force follows after a way"),
], path=os.path.join(PICTURES, "python_tire_workshop.svg"))

# %% A fit: points as a test bench would give them, with noise, and the tire that made them is found again.
random = np.random.default_rng(1)
fz, slip_ratio, slip_angle = (a.ravel() for a in np.meshgrid([2000, 4000, 6000], [0], np.radians(np.linspace(-12, 12, 25))))
fz2, kappa2, alpha2 = (a.ravel() for a in np.meshgrid([2000, 4000, 6000], np.linspace(-0.25, 0.25, 25), [0]))
fz, kappa, alpha = np.append(fz, fz2), np.append(slip_ratio, kappa2), np.append(slip_angle, alpha2)
forces = tire.eval(fz, kappa=kappa, alpha=alpha)
data = {"fz": fz, "kappa": kappa, "alpha": alpha, "fx": forces["fx"] + random.normal(0, 30, fz.size),
        "fy": forces["fy"] + random.normal(0, 30, fz.size)}
fit = vdsim.Tire.fit(data, model="mf96", starts=3)
print(fit.summary)
print("B_lat:", fit.tire.B_lat, "was", tire.B_lat, "  D_lat:", fit.tire.D_lat, "was", tire.D_lat)

# %% And the car drives on it.
print("step steer on the fitted tire:", vdsim.run("step_steer", tire=fit.tire).metric("peak_ay"), "m/s^2")

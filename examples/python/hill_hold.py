# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Hill hold, with and without LuGre
# A braked car on a slope must stand. With bristle friction (LuGre) the tires hold like springs; without it
# the low-speed fallback damps the motion, and the car creeps.

# %%
import os

import vdsim

PICTURES = os.environ.get("VDSIM_PICTURES", ".")


# %% The same car on 8, 12 and 20 %: let go for 1 s, then braked to a stop and held.
def hold(grade, lugre):
    tire = vdsim.Tire.preset("default_pacejka").lugre(lugre)
    sim = vdsim.Sim("sedan", tire, road=vdsim.Road.inclined(grade=grade))
    sim.set_input(gear=0)
    sim.advance(1_000)
    sim.set_input(brake=0.6)
    sim.advance(19_000)
    return sim.result


runs = {(grade, lugre): hold(grade, lugre) for grade in (0.08, 0.12, 0.20) for lugre in (True, False)}
for (grade, lugre), r in runs.items():
    stands = r.t >= 3
    creep = abs(r.x[stands] - r.x[stands][0]).max()
    print(f"{grade:4.0%}  LuGre {'on ' if lugre else 'off'}  creep from 3 s to 20 s: {creep:.2e} m")

# %% The picture: rolling back and stopping look alike; what comes after does not.
label = {True: "LuGre", False: "without"}
vdsim.draw([
    vdsim.panel([(f"{g:.0%} {label[on]}", r.t[r.t < 3], r.vx[r.t < 3], "solid" if on else "dashed") for (g, on), r in runs.items()],
                "t [s]", "speed [m/s]", "Let go, then braked"),
    vdsim.panel([(f"{g:.0%} {label[on]}", r.t[r.t >= 3], 1e3 * (r.x[r.t >= 3] - r.x[r.t >= 3][0]), "solid" if on else "dashed")
                 for (g, on), r in runs.items()], "t [s]", "way since 3 s [mm]", "Held by the brakes"),
], path=os.path.join(PICTURES, "python_hill_hold.svg"))

# %% What holds the car is in the bristles: their deflection times their stiffness is the force.
r = runs[0.08, True]
print("force of the rear left tire:", r.fx_rl[-1], "N, bristle deflection:", 1e3 * r.zx_rl[-1], "mm")

# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Hill hold, with and without LuGre
# A braked car on a slope must stand. With bristle friction (LuGre) the tires hold like springs; without it
# the low-speed fallback damps the motion, and the car creeps.

# %%
import os

import vdsim

PICTURES = os.environ.get("VDSIM_PICTURES", ".")


# %% The same car on 8, 12 and 20 %, braked, for 20 s.
def hold(grade, lugre):
    tire = vdsim.Tire.preset("default_pacejka").lugre(lugre)
    sim = vdsim.Sim("sedan", tire, road=vdsim.Road.inclined(grade=grade))
    sim.set_input(brake=1.0)
    sim.advance(20_000)
    return sim.result


runs = {(grade, lugre): hold(grade, lugre) for grade in (0.08, 0.12, 0.20) for lugre in (True, False)}
for (grade, lugre), r in runs.items():
    creep = abs(r.x[-1] - r.x[r.t >= 1][0])
    print(f"{grade:4.0%}  LuGre {'on ' if lugre else 'off'}  creep from 1 s to 20 s: {creep:.2e} m")

# %% The picture: on the left everything, on the right the cars that hold.
label = {True: "LuGre", False: "without"}
vdsim.draw([
    vdsim.panel([(f"{g:.0%} {label[on]}", r.t, 1e3 * (r.x - r.x[0]), "solid" if on else "dashed") for (g, on), r in runs.items()],
                "t [s]", "way [mm]", "Braked on a slope"),
    vdsim.panel([(f"{g:.0%}", r.t[r.t < 2], 1e3 * (r.x - r.x[0])[r.t < 2]) for (g, on), r in runs.items() if on],
                "t [s]", "way [mm]", "LuGre, the first 2 s"),
], path=os.path.join(PICTURES, "python_hill_hold.svg"))

# %% What holds the car is in the bristles: their deflection times their stiffness is the force.
r = runs[0.08, True]
print("force of the rear left tire:", r.fx_rl[-1], "N, bristle deflection:", 1e3 * r.zx_rl[-1], "mm")

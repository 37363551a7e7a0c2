# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # The same car on every level
# L1 has two wheels, L2 four on a plane, L3 springs, L5 a body that may do anything. Where do they agree?

# %%
import os
import time

import vdsim

PICTURES = os.environ.get("VDSIM_PICTURES", ".")
LEVELS = ("L1", "L2", "L3", "L5")


# %% A step steer, gentle and hard.
def step(level, steer):
    begin = time.process_time()
    maneuver = vdsim.Maneuver.step_steer(v=20, steer=steer, t0=1)
    result = vdsim.Experiment(level).vehicle("sedan").maneuver(maneuver).run(5)
    return result, time.process_time() - begin


gentle = {level: step(level, 0.01) for level in LEVELS}
hard = {level: step(level, 0.08) for level in LEVELS}
for level in LEVELS:
    (a, took), (b, _) = gentle[level], hard[level]
    print(f"{level}: yaw rate {a.r[-1]:.4f} and {b.r[-1]:.4f} rad/s, {took:.2f} s computed for 5 s")

# %% In the linear range all of them turn alike; near the limit load transfer and roll take their share.
vdsim.draw([
    vdsim.panel([(level, r.t, r.r) for level, (r, _) in gentle.items()], "t [s]", "yaw rate [rad/s]", "0.01 rad at 20 m/s"),
    vdsim.panel([(level, r.t, r.r) for level, (r, _) in hard.items()], "t [s]", "yaw rate [rad/s]", "0.08 rad at 20 m/s"),
    vdsim.panel([(level, hard[level][0].t, hard[level][0].roll) for level in ("L3", "L5")], "t [s]", "roll [rad]", "Roll"),
    vdsim.panel([("", hard["L2"][0].t, hard["L2"][0].fz_rl), ("", hard["L5"][0].t, hard["L5"][0].fz_rl, "dashed")], "t [s]",
                "load of the rear left wheel [N]", "Load: L2, and L5 dashed"),
], path=os.path.join(PICTURES, "python_every_level.svg"))

# %% A level is a word: the same scene, the same files, the same signals.
print([vdsim.run("step_steer", level=level, duration=2).metric("peak_ay") for level in LEVELS])

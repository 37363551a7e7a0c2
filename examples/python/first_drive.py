# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # First drive
# A scene of the catalog, changed and run; then the same car in our own hands.
# Start it with `./vdsim python examples/python/first_drive.py`.

# %%
import os

import vdsim

PICTURES = os.environ.get("VDSIM_PICTURES", ".")

# %% A scene is a car, a road and a driver. This one turns the wheel at 80 km/h.
result = vdsim.run("step_steer")
print(result)
print({name: round(value, 3) for name, value in result.metrics.items()})

# %% Every signal is a column: an array, with a unit and a meaning.
print("largest lateral acceleration:", abs(result.ay).max(), result.units["ay"])

# %% Another tire, half the grip: what changes?
grippy = vdsim.run("step_steer", tire="sport_grip")
wet = vdsim.run("step_steer", set={"mu": 0.5})
runs = {"as it is": result, "sport tires": grippy, "mu 0.5": wet}
vdsim.draw([
    vdsim.panel([(name, r.t, r.r) for name, r in runs.items()], "t [s]", "yaw rate [rad/s]", "Step steer at 80 km/h"),
    vdsim.panel([(name, r.x, r.y) for name, r in runs.items()], "x [m]", "y [m]", "Path"),
], path=os.path.join(PICTURES, "python_first_drive.svg"))

# %% The car itself: every field has a name, a unit, a range; a wrong one is refused.
car = vdsim.Car.preset("sedan")
print(type(car.chassis).mass.__doc__)
car.chassis.cg_height = 0.6
car.set(brake_bias_front=0.7)
try:
    car.chassis.mass = -5
except vdsim.InputError as error:
    print("refused:", error)

# %% Step by step: your own input, your own clock.
sim = vdsim.Sim(car, road=vdsim.Road.flat(0.9), v0=20)
while not sim.done(2):
    sim.set_input(brake=0.4 if sim.time > 0.5 else 0.0)
    sim.run_core_dt()
print("after 2 s:", sim.state().vx, "m/s,", sim.result.metric("dist"), "m")

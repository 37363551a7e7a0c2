# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Your own controller in the loop
# A lane keeper at 100 Hz against a side slope and noisy sensors: it sees what the sensors read, not the truth.

# %%
import os

import numpy as np

import vdsim

PICTURES = os.environ.get("VDSIM_PICTURES", ".")


# %% The controller: a filtered position, a proportional and a derivative part.
class LaneKeeper:
    def __init__(self, lane, gain, damping, share):
        self.lane, self.gain, self.damping, self.share = lane, gain, damping, share
        self.y, self.vy = 0.0, 0.0

    def __call__(self, measured):
        self.y += self.share * (measured["m_gnss_y"] - self.y)
        self.vy += self.share * (measured["m_gnss_vy"] - self.vy)
        return float(np.clip(self.gain * (self.lane - self.y) - self.damping * self.vy, -0.05, 0.05))


# %% The plant: a sedan at 20 m/s on a road that falls to the right by 3 %.
def drive(controller, seconds=12.0):
    sensors = vdsim.Sensors(seed=3).gnss(pos_std=0.05, vel_std=0.02, rate=100, latency=0.0)
    sim = vdsim.Sim("sedan", road=vdsim.Road.inclined(bank=0.03), sensors=sensors, dt=0.01, v0=20)
    while not sim.done(seconds):
        steer = controller(sim.measurements("gnss"))
        sim.set_input(steer=steer, speed=20)
        sim.run_core_dt()
        sim.log_extra(steer_asked=steer)
    return sim.result


runs = {f"gain {gain:g}": drive(LaneKeeper(lane=1.5, gain=gain, damping=0.02, share=0.2)) for gain in (0.005, 0.01, 0.04)}
for name, r in runs.items():
    late = r.t > 8
    print(f"{name}: offset {np.mean(r.y[late]) - 1.5:+.3f} m, steer noise {np.std(r['steer_asked'][-400:]):.4f} rad")

# %% A soft one lets the slope push the car aside, a stiff one passes the noise on to the wheel.
vdsim.draw([
    vdsim.panel([(name, r.t, r.y) for name, r in runs.items()], "t [s]", "y [m]", "Into the lane at y = 1.5 m"),
    vdsim.panel([(name, r.t[1:], r["steer_asked"]) for name, r in runs.items()], "t [s]", "steer [rad]", "What it costs"),
], path=os.path.join(PICTURES, "python_own_controller.svg"))

# %% The same loop as an experiment: a function of time and state in place of a class.
def keeper(t, s):
    across = s.vx * np.sin(s.psi) + s.vy * np.cos(s.psi)
    return {"steer": 0.01 * (1.5 - s.y) - 0.02 * across, "speed": 20}


truth = vdsim.Experiment("L3", dt=0.01).road(vdsim.Road.inclined(bank=0.03)).maneuver(vdsim.Maneuver(keeper, v0=20)).run(12)
print("with the true state, on springs:", round(float(truth.y[-1]), 3), "m")

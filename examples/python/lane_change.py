# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A lane change, faster and faster
# The double lane change of ISO 3888-2 over entry speeds: when does the first cone fall, and does a sports car do better?

# %%
import os

import vdsim

PICTURES = os.environ.get("VDSIM_PICTURES", ".")

# %% One run: metrics, verdict, cones that were hit, and every signal.
first = vdsim.maneuver("iso3888_2", "sedan")
print(first)
print("cones hit:", len(first.hits))

# %% Speeds from 50 to 80 km/h, for two cars.
cars = {"sedan": vdsim.Vehicle.preset("sedan"), "sports": vdsim.Vehicle.preset("sports")}
speeds = range(50, 81, 10)
studies = {(name, v): vdsim.maneuver("iso3888_2", car, set={"speed": f"kmh({v})"}) for name, car in cars.items() for v in speeds}
for (name, v), study in studies.items():
    print(f"{name:6s} {v} km/h: {study.verdict}, {len(study.hits)} cones, "
          f"largest ay {abs(study.recording.ay).max():.1f} m/s^2")


# %% The paths of the sedan, and how far both slide.
def slip(r):
    return abs(r.vy / r.vx).max()


vdsim.draw([
    vdsim.panel([(f"{v} km/h", studies["sedan", v].recording.x, studies["sedan", v].recording.y) for v in speeds],
                "x [m]", "y [m]", "ISO 3888-2, sedan"),
    vdsim.panel([(name, list(speeds), [slip(studies[name, v].recording) for v in speeds]) for name in cars],
                "entry speed [km/h]", "largest side slip [rad]", "Side slip"),
], path=os.path.join(PICTURES, "python_lane_change.svg"))

# %% The search does it in one call.
print("highest speed that passes:", vdsim.maneuver("iso3888_2", "sedan", find_max_speed=True).found, "m/s")

# SPDX-License-Identifier: Apache-2.0
"""VDSimPlant: a car as the plant of a path controller, commanded by steer angle and total force."""
import math

import numpy as np

import vdsim

_WHEEL = ("fx", "fy", "fz", "alpha", "kappa", "mu")


class VDSimPlant:
    """plant.reset([X, Y, psi, vx, vy, r]); obs = plant.step([delta, Fx_total]) advances by control_dt.

    `config`: a Vehicle, an id, a preset's name, a file. Bristle friction is on: the car stands where it stops.
    `friction_map`: [(x0, x1, mu)] along x; `friction_map_2d`: [{"polygon": [[x, y], ..], "mu": mu}].
    """

    def __init__(self, config="ioniq5_awd", friction_map=None, friction_map_2d=None, base_mu=0.9, control_dt=0.05,
                 substep_dt=5e-4, level="L2"):
        road = {"mu": base_mu}
        if friction_map:
            road["sections"] = [{"from": float(a), "to": float(b), "mu": float(mu)} for a, b, mu in friction_map]
        if friction_map_2d:
            road["patches"] = [{"polygon": [list(map(float, p)) for p in m["polygon"]], "mu": float(m["mu"])}
                               for m in friction_map_2d]
        car = vdsim.Vehicle.preset(config) if isinstance(config, str) and not config.endswith(".yaml") else config
        self.sim = vdsim.Sim(car, level=level, road=vdsim.Road(**road), dt=control_dt, substep=substep_dt)
        self.control_dt = float(control_dt)

    def reset(self, state=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)):
        """Start at [X, Y, psi, vx, vy, r]; the wheels roll. Returns the observation."""
        x, y, psi, vx, vy, r = (float(v) for v in state)
        if vy or r:
            raise vdsim.InputError("reset: vy and r must be 0: a car starts straight, the wheels rolling")
        self.sim.reset(x, y, psi, vx)
        self.sim.set_input()
        return self.observe()

    def step(self, action):
        """[delta rad, Fx_total N] held for control_dt; returns the observation."""
        delta, force = (float(v) for v in action)
        self.sim.set_input(steer=delta, force=force)
        self.sim.run_core_dt()
        return self.observe()

    def observe(self):
        """X Y psi vx vy r ax ay beta roll pitch, and wheel[4]: Fx Fy Fz alpha kappa mu mu_peak alpha_peak kappa_peak."""
        s = self.sim.state()
        names = set(s.keys())
        out = {"X": s.x, "Y": s.y, "psi": s.psi}
        out.update({k: s[k] for k in ("vx", "vy", "r", "ax", "ay")})
        out["beta"] = math.atan2(s.vy, s.vx) if math.hypot(s.vx, s.vy) > 0.1 else 0.0
        out.update({k: s[k] if k in names else 0.0 for k in ("roll", "pitch")})
        out["wheel"] = [self._wheel(s, w) for w in ("fl", "fr", "rl", "rr")]
        return out

    def _wheel(self, s, w):
        out = {{"fx": "Fx", "fy": "Fy", "fz": "Fz"}.get(k, k): s[f"{k}_{w}"] for k in _WHEEL}
        out.update(self._peaks(w, out["Fz"], out["mu"]))
        return out

    def _peaks(self, w, fz, mu):
        """Where the steady law of this wheel peaks at its load and friction."""
        del w, fz, mu
        return {"mu_peak": np.nan, "alpha_peak": np.nan, "kappa_peak": np.nan}

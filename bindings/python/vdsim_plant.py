# SPDX-License-Identifier: Apache-2.0
"""VDSimPlant: a car as the plant of a path controller, commanded by steer angle and total force."""
import math

import numpy as np

import vdsim
from vdsim._core import level_of
from vdsim._specs import vehicle_of

_WHEEL = ("fx", "fy", "fz", "alpha", "kappa", "mu")


class VDSimPlant:
    """plant.reset([X, Y, psi, vx, vy, r]); obs = plant.step([delta, Fx_total]) advances by control_dt.

    `config`: a Vehicle, an id, a preset's name, a file. Bristle friction is on: the car stands where it stops.
    `friction_map`: [(x0, x1, mu)] along x; `friction_map_2d`: [{"polygon": [[x, y], ..], "mu": mu}].
    """

    def __init__(self, config="ioniq5_awd", friction_map=None, friction_map_2d=None, base_mu=0.9, control_dt=0.05,
                 substep_dt=5e-4, level="L2"):
        if level_of(level) == "L1":
            raise vdsim.InputError("level: L1 has two wheels, the plant tells of four: use L2, L3 or L5")
        road = {"mu": base_mu}
        if friction_map:
            road["sections"] = [{"from": float(a), "to": float(b), "mu": float(mu)} for a, b, mu in friction_map]
        if friction_map_2d:
            road["patches"] = [{"polygon": [list(map(float, p)) for p in m["polygon"]], "mu": float(m["mu"])}
                               for m in friction_map_2d]
        car = vehicle_of(config).copy()
        car.set("tire.lugre.enabled", True)
        self.sim = vdsim.Sim(car, level=level, road=vdsim.Road(**road), dt=control_dt, substep=substep_dt)
        self.control_dt = float(control_dt)
        made, self._peaks = {}, {}
        for w in ("fl", "fr", "rl", "rr"):
            tire = car.tire_at(w)
            if tire.hash not in made:
                made[tire.hash] = _Peaks(tire)
            self._peaks[w] = made[tire.hash]

    def reset(self, state=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)):
        """Start at [X, Y, psi, vx, vy, r]; the wheels roll. Returns the observation."""
        x, y, psi, vx, vy, r = (float(v) for v in state)
        self.sim.reset(x, y, psi, vx, vy=vy, r=r)
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
        out.update(self._peaks[w](out["Fz"], out["mu"]))
        return out


class _Peaks:
    """Where the steady law of a tire peaks, read from a table over load and friction: linear between its points."""

    def __init__(self, tire):
        self.fz, self.mu = np.linspace(250.0, 12000.0, 24), np.linspace(0.05, 1.25, 13)
        kappa, alpha = np.linspace(0.002, 1.0, 250), np.linspace(0.002, 0.6, 250)
        fz, mu = self.fz[:, None, None], self.mu[None, :, None]
        fx = tire.eval(fz, kappa=kappa, mu=mu)["fx"]
        fy = -tire.eval(fz, alpha=alpha, mu=mu)["fy"]
        self.tables = {"mu_peak": fx.max(axis=2) / self.fz[:, None], "alpha_peak": alpha[fy.argmax(axis=2)],
                       "kappa_peak": kappa[fx.argmax(axis=2)]}

    def __call__(self, fz, mu):
        return {name: self._at(table, fz, mu) for name, table in self.tables.items()}

    def _at(self, table, fz, mu):
        over_mu = [np.interp(mu, self.mu, row) for row in table]
        return float(np.interp(fz, self.fz, over_mu))

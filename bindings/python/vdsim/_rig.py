# SPDX-License-Identifier: Apache-2.0
"""The tire test rig."""
import math
from typing import NamedTuple

import numpy as np

from . import _vdsim
from ._errors import bad_value
from ._result import Result
from ._specs import tire_of


class RigOutput(NamedTuple):
    """Forces [N] and moments [N m] of the road on the tire, ISO 8855 wheel frame; slip ratio, slip angle [rad]."""

    fx: float
    fy: float
    fz: float
    mx: float
    my: float
    mz: float
    kappa: float
    alpha: float


class Rig:
    """One tire, moved as you say: rig.step(omega, vx, vy, fz), rig.sweep(alpha=..), rig.run(table)."""

    def __init__(self, tire="default_pacejka"):
        self.tire = tire_of(tire).copy()
        self._bench = _vdsim.Bench(self.tire._doc)

    def step(self, omega, vx, vy=0.0, fz=4000.0, gamma=0.0, psidot=0.0, mu=1.0, h=1e-3, pressure=0.0):
        """Go linearly from the last motion to this one in h [s]; the first call is the steady state there."""
        return RigOutput(*self._bench.step([omega, vx, vy, fz, gamma, pressure, mu, psidot], h))

    def reset(self):
        """A tire that has not moved yet."""
        self._bench.reset()

    @property
    def time(self):
        """[s]"""
        return self._bench.time

    @property
    def states(self):
        """The states of the tire by name."""
        return self._bench.states

    def run(self, table, dt=None, states=False):
        """A motion: dict of columns t, omega, vx, vy, fz (or t, kappa, alpha, fz) and gamma, pressure, mu, psidot; or a CSV file."""
        if isinstance(table, dict):
            columns = {k: np.ravel(np.asarray(v, float)) for k, v in table.items()}
            size = max((len(c) for c in columns.values()), default=0)
            for name, column in columns.items():
                if len(column) not in (1, size):
                    raise bad_value(name, f"has {len(column)} values, the longest column {size}")
            rows = zip(*(np.broadcast_to(c, size).tolist() for c in columns.values()))
            text = "\n".join([",".join(columns)] + [",".join(map(repr, row)) for row in rows]) + "\n"
        else:
            with open(table, encoding="utf-8") as file:
                text = file.read()
        return Result(self._bench.run(text, math.nan if dt is None else dt, states))

    def sweep(self, kappa=0.0, alpha=0.0, fz=4000.0, **other):
        """Steady states over slip: arrays of kappa, alpha [rad], fz [N], and gamma, vx, pressure, mu."""
        size = max(np.size(v) for v in (kappa, alpha, fz, *other.values()))
        return self.run({"t": np.arange(size, dtype=float), "kappa": kappa, "alpha": alpha, "fz": fz, **other})

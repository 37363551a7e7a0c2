# SPDX-License-Identifier: Apache-2.0
# The compiled half. What users see of it is Hand, below Sim and Simulation.
from typing import Any

import numpy as np

__version__: str

class Hand:
    def __init__(self, scene: Any, car: str, every: int) -> None: ...
    def step(self) -> None:
        """One step of the engine, of length `substep`, with the input held."""
    def advance(self, n: int) -> None:
        """n steps of the engine, with the input held."""
    def snapshot(self) -> bytes:
        """Everything that persists, as bytes."""
    def restore(self, snapshot: bytes) -> None:
        """Back to a snapshot of this car; InputError, and nothing changed, if it is of another one."""
    def values(self) -> np.ndarray:
        """Every signal now, in the order of names."""
    @property
    def time(self) -> float: ...
    @property
    def substep(self) -> float: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def units(self) -> list[str]: ...
    def __getattr__(self, name: str) -> Any: ...

def __getattr__(name: str) -> Any: ...

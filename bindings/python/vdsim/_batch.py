# SPDX-License-Identifier: Apache-2.0
"""Many cars at once."""
import os

import numpy as np

from . import _vdsim
from ._errors import InputError, bad_value
from ._specs import Scene

_INPUTS = ("steer", "throttle", "brake", "handbrake", "gear", "torque_fl", "torque_fr", "torque_rl", "torque_rr")
_POSE = ("x", "y", "yaw", "vx", "z")


class _Inputs:
    """Commands of all cars: batch.inputs.steer = 0.02, or an array with a value for each car. Held until set again."""

    __slots__ = ("_cars",)

    def __init__(self, cars):
        object.__setattr__(self, "_cars", cars)

    def __setattr__(self, name, value):
        self._cars._input(name, np.asarray(value, dtype=float))

    def __getattr__(self, name):
        if name not in _INPUTS:
            raise AttributeError(f"no command '{name}'" + _vdsim.suggestion(name, list(_INPUTS)))
        k = _INPUTS.index(name)
        return np.array([self._cars._commands(i)[k] for i in range(len(self._cars))])

    __setitem__ = __setattr__
    __getitem__ = __getattr__

    def __dir__(self):
        return list(_INPUTS)


class Batch:
    """n cars of a scene of one car, stepped together in the registers of all cores: Batch("step_steer", 1000).

    Commands come from you (inputs); the scene's driver does not drive. number "float" is the fastest, "double" has the bits of a Sim's car.
    """

    def __init__(self, scene, n, number="float"):
        scene = Scene(scene) if isinstance(scene, (str, os.PathLike)) else scene
        self._scene = scene.copy()
        self._cars = _vdsim.Cars(self._scene._doc, int(n), number)
        self.number = number

    def __len__(self):
        return len(self._cars)

    @property
    def scene(self):
        """The scene it was made of."""
        return self._scene.copy()

    @property
    def info(self):
        """How the cars are stepped: number, laws, lanes, varied, bytes_per_car; alone: why one by one, if they are."""
        return self._cars._info()

    @property
    def names(self):
        """The signals that read() knows."""
        return self._cars._names()

    @property
    def inputs(self):
        """Commands: inputs.steer, .throttle, .brake, .handbrake, .gear, .torque_fl ..; a number, or an array over the cars."""
        return _Inputs(self._cars)

    def set(self, path, values):
        """A number of car or road by path, for all cars or one for each: set("chassis.mass", array), set("mu", 0.5)."""
        self._cars._set(path, np.asarray(values, dtype=float))
        return self

    def step(self, h, steps=1, threads=0):
        """steps steps of h [s] with the inputs held, on so many threads (0: all). Returns how many cars have diverged so far."""
        return self._cars._step(float(h), int(steps), int(threads))

    def read(self, *names, out=None):
        """Signals of every car now, as an array (cars, signals); out: an array to write into."""
        shape = (len(self), len(names))
        if out is None:
            out = np.empty(shape)
        if not isinstance(out, np.ndarray) or out.dtype != np.float64 or out.shape != shape or not out.flags.writeable:
            raise bad_value("out", f"expected a writable array of float64 of shape {shape}")
        for k, name in enumerate(names):
            self._cars._read(name, out, k)
        return out

    def view(self, state):
        """A state of every car in place, as an array (blocks, lanes): car i is [i // lanes, i % lanes]. Writing there moves the cars."""
        return _vdsim.batch_view(self._cars, state)

    @property
    def status(self):
        """True for each car that goes on; False: it diverged, and stands as it was before that step."""
        return self._cars._going()

    def why(self, i):
        """How it showed that car i diverged; "" if it did not."""
        return self._cars._why(i)

    def reset(self, mask=None, **pose):
        """The cars of the mask (all) back to the start; x, y, yaw, vx, z: a number, or an array over all cars."""
        n = len(self)
        unknown = [name for name in pose if name not in _POSE]
        if unknown:
            raise bad_value(unknown[0], "is no part of a pose" + _vdsim.suggestion(unknown[0], list(_POSE)))
        chosen = np.ones(n, np.uint8) if mask is None else np.ascontiguousarray(np.asarray(mask, bool), np.uint8)
        if chosen.shape != (n,):
            raise bad_value("mask", f"expected {n} values, one for each car")
        starts = np.tile(np.array(self._cars._start()), (n, 1))
        for k, name in enumerate(_POSE):
            if name in pose:
                try:
                    starts[:, k] = pose[name]
                except ValueError:
                    raise bad_value(name, f"expected 1 or {n} values") from None
        self._cars._reset(chosen, starts)

    def snapshot(self, i):
        """Everything that persists of car i, as bytes."""
        return self._cars._snapshot(i)

    def restore(self, i, snapshot):
        """Car i back to a snapshot of a car like it; InputError, and nothing changed, if it is of another one."""
        if not self._cars._restore(i, bytes(snapshot)):
            raise InputError(["the snapshot is cut, damaged, or of another car, level or road"])

# SPDX-License-Identifier: Apache-2.0
"""VDSim: vehicle dynamics, from Python. docs/PYTHON.md is the guide.

>>> import vdsim
>>> r = vdsim.run("step_steer", tire="sport_grip")
>>> r.plot("vx", "ay", path="step.svg")
"""
from ._vdsim import __version__
from ._batch import Batch
from ._commands import CmdL1, CmdL2, CmdL3, CmdL4, CmdL5, CmdL6, CmdL7, CmdL8
from ._core import catalog
from ._errors import ErrorItem, InputError, NumbersFailed, VDSimWarning
from ._fields import Block, Field, fields
from ._later import OLD as _old
from ._result import Drawing, Result, Signals, draw, panel, register_metric
from ._rig import Rig, RigOutput
from ._scenes import (Experiment, Maneuver, Road, Sensors, attach_front_kinematics_from_yaml,
                      attach_rear_kinematics_from_yaml)
from ._sim import Sim, Simulation
from ._specs import Fit, Scene, Tire, Vehicle
from ._studies import Metrics, Study, handling, load, maneuver, run, validate

Car = Vehicle

__all__ = [
    "Batch", "Block", "Car", "CmdL1", "CmdL2", "CmdL3", "CmdL4", "CmdL5", "CmdL6", "CmdL7", "CmdL8", "Drawing", "ErrorItem",
    "Experiment", "Field", "Fit", "InputError", "Maneuver", "Metrics", "NumbersFailed", "Result", "Rig", "RigOutput", "Road",
    "Scene", "Sensors", "Signals", "Sim", "Simulation", "Study", "Tire", "VDSimWarning", "Vehicle", "__version__",
    "attach_front_kinematics_from_yaml", "attach_rear_kinematics_from_yaml", "catalog", "draw", "fields", "handling",
    "load", "maneuver", "panel", "register_metric", "run", "validate",
]


def __getattr__(name):
    if name in _old:
        return _old[name]
    if name == "rl":
        raise NotImplementedError("vdsim.rl is not there yet: close a loop with vdsim.Sim")
    raise AttributeError(f"module 'vdsim' has no attribute '{name}'")

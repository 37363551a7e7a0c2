# SPDX-License-Identifier: Apache-2.0
"""The laboratory names of VDSim 0.7: experiments, roads, sensors, tires, metrics."""
from vdsim import (Car, Experiment, InputError, Maneuver, Result, Rig, Road, Scene, Sensors, Sim, Simulation, Tire, Vehicle,
                   register_metric)

__all__ = ["Car", "Experiment", "InputError", "Maneuver", "Result", "Rig", "Road", "Scene", "Sensors", "Sim", "Simulation",
           "Tire", "Vehicle", "register_metric"]

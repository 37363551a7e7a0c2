# SPDX-License-Identifier: Apache-2.0
"""Command levels: from wheel torques up to a path to follow. Angles [rad], left positive; torques [N m], forward positive."""
from dataclasses import dataclass


@dataclass
class CmdL1:
    """Wheel torques and steer."""

    torque_fl: float = 0.0
    torque_fr: float = 0.0
    torque_rl: float = 0.0
    torque_rr: float = 0.0
    steer: float = 0.0

    def input(self):
        """As set_input takes it."""
        return {"steer": self.steer, "torque": [self.torque_fl, self.torque_fr, self.torque_rl, self.torque_rr]}


@dataclass
class CmdL2:
    """Axle torques and steer."""

    torque_front: float = 0.0
    torque_rear: float = 0.0
    steer: float = 0.0

    def input(self):
        """As set_input takes it."""
        return {"steer": self.steer,
                "torque": [self.torque_front / 2, self.torque_front / 2, self.torque_rear / 2, self.torque_rear / 2]}


@dataclass
class CmdL3:
    """Sum of the longitudinal contact forces [N] and steer."""

    force: float = 0.0
    steer: float = 0.0

    def input(self):
        """As set_input takes it."""
        return {"steer": self.steer, "force": self.force}


@dataclass
class CmdL4:
    """Pedals and lever 0..1, gear, steer."""

    steer: float = 0.0
    throttle: float = 0.0
    brake: float = 0.0
    handbrake: float = 0.0
    gear: int = 1

    def input(self):
        """As set_input takes it."""
        return dict(vars(self))


@dataclass
class CmdL5:
    """Acceleration along the gear [m/s^2] and steer."""

    acceleration: float = 0.0
    steer: float = 0.0

    def input(self):
        """As set_input takes it."""
        return dict(vars(self))


@dataclass
class CmdL6:
    """Speed [m/s], negative in reverse, and steer."""

    speed: float = 0.0
    steer: float = 0.0

    def input(self):
        """As set_input takes it."""
        return dict(vars(self))


@dataclass
class CmdL7:
    """Speed [m/s] and curvature of the path driven [1/m]."""

    speed: float = 0.0
    curvature: float = 0.0

    def input(self):
        """As set_input takes it."""
        return dict(vars(self))


@dataclass
class CmdL8:
    """Speed [m/s] along the path of the scene."""

    speed: float = 0.0

    def input(self):
        """As set_input takes it."""
        return {"speed": self.speed, "follow_path": True}

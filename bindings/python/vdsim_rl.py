# SPDX-License-Identifier: Apache-2.0
"""Environments for reinforcement learning: not there yet. Each name says so."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise NotImplementedError(f"vdsim_rl.{name} is not there yet: close a loop with vdsim.Sim")

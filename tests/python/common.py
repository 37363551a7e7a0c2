# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the Python module."""
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(os.environ.get("VDSIM_ROOT", pathlib.Path(__file__).resolve().parents[2]))
BIN = os.environ.get("VDSIM_BIN", str(ROOT / "build/exact/vdsim_daily"))


def command_line(*arguments):
    """What the command line prints; its exit code must be 0."""
    done = subprocess.run([BIN, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


class Case(unittest.TestCase):
    maxDiff = 2000

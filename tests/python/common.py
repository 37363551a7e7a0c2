# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the Python module."""
import contextlib
import locale
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("VDSIM_ROOT", pathlib.Path(__file__).resolve().parents[2]))
BIN = os.environ.get("VDSIM_BIN", str(ROOT / "build/exact/vdsim_daily"))


def command_line(*arguments):
    """What the command line prints; its exit code must be 0."""
    done = subprocess.run([BIN, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


@contextlib.contextmanager
def comma_locale():
    """A process that writes 1,5 for 1.5; the locale is made for it."""
    with tempfile.TemporaryDirectory() as folder:
        if not os.path.exists("/usr/share/i18n/locales/de_DE") or shutil.which("localedef") is None:
            raise unittest.SkipTest("no localedef de_DE (Debian: locales)")
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder + "/de_DE.UTF-8"], capture_output=True, check=False)
        os.environ["LOCPATH"] = folder
        try:
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
            yield
        finally:
            locale.setlocale(locale.LC_ALL, "C.UTF-8")
            del os.environ["LOCPATH"]


class Case(unittest.TestCase):
    maxDiff = 2000

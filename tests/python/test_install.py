# SPDX-License-Identifier: Apache-2.0
"""pip install, into a fresh environment; what is installed needs nothing of this checkout."""
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

from common import ROOT, Case

SCRIPT = """
import pathlib, sys, vdsim, vdsim_lab, vdsim_plant
assert pathlib.Path(vdsim.__file__).is_relative_to(sys.prefix), vdsim.__file__
assert pathlib.Path(vdsim._core.catalog_object().folder).is_relative_to(sys.prefix), vdsim._core.catalog_object().folder
print(vdsim.run("step_steer", duration=1).vx[-1])
"""


class Install(Case):
    def run_in(self, folder, *command):
        env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VDSIM_CONFIGS")}
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout

    def test_wheel(self):
        if "VDSIM_BUILD" not in os.environ:
            self.skipTest("VDSIM_BUILD names no build folder")
        with tempfile.TemporaryDirectory() as folder:
            self.run_in(folder, sys.executable, "-m", "venv", "--system-site-packages", "mine")
            self.run_in(folder, "mine/bin/pip", "install", "--no-index", "--no-build-isolation", str(ROOT))
            out = self.run_in(folder, "mine/bin/python", "-c", SCRIPT)
            import vdsim

            self.assertEqual(float(out), vdsim.run("step_steer", duration=1).vx[-1])

    def test_source_archive_has_all_that_the_build_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_in(ROOT, sys.executable, "setup.py", "-q", "egg_info", "-e", folder, "sdist", "-d", folder)
            (archive,) = pathlib.Path(folder).glob("*.tar.gz")
            with tarfile.open(archive) as tar:
                names = {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}
        tracked = self.run_in(ROOT, "git", "ls-files", "src", "bindings", "cmake", "configs", "web/report", "CMakeLists.txt",
                              "setup.py", "pyproject.toml").split()
        self.assertEqual(sorted(set(tracked) - names), [])


if __name__ == "__main__":
    unittest.main()

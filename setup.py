# SPDX-License-Identifier: Apache-2.0
"""pip install: the module is built by CMake as ./vdsim python builds it, and carries the catalog."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(vdsim VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class Build(build_py):
    """Everything comes out of CMake."""

    def run(self):
        folder = pathlib.Path(os.environ.get("VDSIM_BUILD", ROOT / "build" / "pip"))  # VDSIM_BUILD: one that is there
        options = ["-DVDSIM_COMPONENTS=python", "-DVDSIM_TESTS=OFF", "-DVDSIM_INSTALL=OFF", f"-DVDSIM_PYTHON={sys.executable}"]
        if "VDSIM_BUILD" not in os.environ:
            subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", *options], check=True)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        subprocess.run(["cmake", "--build", str(folder), "--target", "python", "-j", jobs], check=True)
        out = pathlib.Path(self.build_lib)
        # vdsim/fmu among it, the libraries that go into FMUs
        shutil.copytree(folder / "python", out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "configs", out / "vdsim" / "configs", dirs_exist_ok=True)


class Compiled(Distribution):
    """A wheel of this Python and machine."""

    def has_ext_modules(self):
        return True


setup(version=VERSION, packages=["vdsim"], package_dir={"": "bindings/python"},
      py_modules=["vdsim_lab", "vdsim_plant", "vdsim_rl"], cmdclass={"build_py": Build}, distclass=Compiled)

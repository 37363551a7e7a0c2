# SPDX-License-Identifier: Apache-2.0
"""What type checkers are told is what there is."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from common import ROOT, Case

import vdsim

SOURCE = ROOT / "bindings/python"
# the machinery below the classes; the metaclass of what pybind11 made; NamedTuple, which is a function
ALLOWED = r"""
vdsim\.(_sim\.)?(Sim|Simulation|_Base)
vdsim\._(errors|rig)\.NamedTuple
vdsim\._tables\..*\._(blocks|tree|prefix)
vdsim\._tables\._.*
vdsim\._tables\.(TIRES|class_of|tree_of|read_document|Field)
vdsim\._vdsim\..*
vdsim\._(fit|fmu)\..*
vdsim\..*\.__slots__
"""


class Stubs(Case):
    def test_the_committed_file_is_what_the_tables_give(self):
        spec = importlib.util.spec_from_file_location("stubs", ROOT / "tools/python_stubs.py")
        stubs = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(stubs)
        told = "renew it: ./vdsim python tools/python_stubs.py"
        self.assertEqual((SOURCE / "vdsim/_tables.pyi").read_text(encoding="utf-8"), stubs.text(), told)

    def test_every_name_has_a_docstring(self):
        for name in vdsim.__all__:
            if name not in ("__version__",):
                self.assertTrue(getattr(vdsim, name).__doc__, name)

    def test_stubtest(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed (Debian: mypy)")
        with tempfile.TemporaryDirectory() as folder:
            allowed = pathlib.Path(folder, "allowed")
            allowed.write_text(ALLOWED, encoding="utf-8")
            done = subprocess.run(
                [sys.executable, "-m", "mypy.stubtest", "vdsim", "--allowlist", str(allowed), "--ignore-unused-allowlist",
                 "--ignore-missing-stub"], capture_output=True, text=True, cwd=folder, check=False,
                env={**os.environ, "MYPYPATH": str(SOURCE)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Every tutorial runs, and the pictures in docs/images are the ones that it draws."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

from common import ROOT, Case


def words(svg):
    """Titles, labels and legends; not the numbers at the axes, which move when a part of the catalog does."""
    return [t for t in re.findall(r"<text[^>]*>([^<]+)</text>", svg) if not re.fullmatch(r"[-\u2212+0-9.,e\u00b7 ]+", t)]


class Tutorials(Case):
    def test_every_tutorial_runs_and_draws_its_picture(self):
        scripts = sorted((ROOT / "examples/python").glob("*.py"))
        self.assertGreaterEqual(len(scripts), 6)
        for script in scripts:
            with self.subTest(script.name), tempfile.TemporaryDirectory() as folder:
                began = time.monotonic()
                done = subprocess.run([sys.executable, "-B", str(script)], cwd=folder, capture_output=True, text=True,
                                      env={**os.environ, "VDSIM_PICTURES": folder}, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater(len(done.stdout), 100)
                self.assertLess(time.monotonic() - began, 180)
                drawn = list(pathlib.Path(folder).glob("*.svg"))
                self.assertEqual([p.name for p in drawn], [f"python_{script.stem}.svg"])
                kept = ROOT / "docs/images" / drawn[0].name
                if os.environ.get("UPDATE_PICTURES"):
                    kept.write_text(drawn[0].read_text())
                self.assertEqual(words(kept.read_text()), words(drawn[0].read_text()))
                self.assertLess(kept.stat().st_size, 100_000)

    def test_the_python_of_the_pages_runs(self):
        for page in ("README.md", "docs/PYTHON.md"):
            blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)
            self.assertTrue(blocks)
            for block in blocks:
                with self.subTest(page, block=block[:40]), tempfile.TemporaryDirectory() as folder:
                    if block.startswith(">>>"):
                        self.check_refusal(block)
                        continue
                    done = subprocess.run([sys.executable, "-B", "-c", block], cwd=folder, capture_output=True, text=True,
                                          check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def check_refusal(self, block):
        import vdsim

        call, told = block.strip().split("\n", 1)
        with self.assertRaises(vdsim.InputError) as caught:
            exec(call[4:], {"car": vdsim.Car.preset("sedan")})
        self.assertEqual(told, f"vdsim.InputError: {caught.exception}")


if __name__ == "__main__":
    unittest.main()

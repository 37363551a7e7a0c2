# SPDX-License-Identifier: Apache-2.0
"""A good citizen of the process: signals, threads, the host's floating point."""
import ctypes
import signal
import threading
import time
import unittest

from common import Case

import vdsim

UPWARD = 0x800  # FE_UPWARD on x86; a mode that changes nearly every bit


class Process(Case):
    def test_ctrl_c_ends_a_run(self):
        works = {
            "run": lambda: vdsim.run("step_steer", duration=100_000, set={"rate": 1}),
            "advance": lambda: vdsim.Sim("sedan", v0=20).advance(10**8),
        }
        for name, work in works.items():
            with self.subTest(name):
                timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
                timer.start()
                began = time.monotonic()
                with self.assertRaises(KeyboardInterrupt):
                    work()
                self.assertLess(time.monotonic() - began, 30)
                timer.join()

    def test_other_threads_go_on_while_a_run_runs(self):
        counted, done = [], threading.Event()

        def count():
            while not done.is_set():
                counted.append(time.monotonic())
                time.sleep(0.002)

        thread = threading.Thread(target=count)
        thread.start()
        sim = vdsim.Sim("sedan", v0=20)
        began = time.monotonic()
        sim.advance(100_000)
        ended = time.monotonic()
        done.set()
        thread.join()
        self.assertGreater(len([t for t in counted if began < t < ended]), 10)

    def test_rounding_of_the_host_does_not_change_bits(self):
        libm = ctypes.CDLL("libm.so.6")
        sims = [vdsim.Sim("sedan", v0=20) for _ in range(2)]
        for i, sim in enumerate(sims):
            sim.set_input(steer=0.02, speed=20)
            if i:
                self.assertEqual(libm.fesetround(UPWARD), 0)
            try:
                sim.advance(200)
                sim.step()
                mode = libm.fegetround()
            finally:
                libm.fesetround(0)
            self.assertEqual(mode, UPWARD if i else 0)
        self.assertEqual(sims[0].snapshot(), sims[1].snapshot())


if __name__ == "__main__":
    unittest.main()

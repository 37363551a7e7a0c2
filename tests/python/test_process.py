# SPDX-License-Identifier: Apache-2.0
"""A good citizen of the process: signals, threads, the host's floating point."""
import ctypes
import locale
import pickle
import platform
import signal
import threading
import time
import unittest

from common import Case, comma_locale

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

    def test_flush_to_zero_of_the_host_does_not_change_bits(self):
        """A steer angle so small that the yaw rate is no normal number: a host that flushes to zero would have none."""
        if platform.machine() != "x86_64":
            self.skipTest("the register of x86-64")
        libm = ctypes.CDLL("libm.so.6")

        def control(value=None):
            environment = ctypes.create_string_buffer(64)
            libm.fegetenv(environment)
            register = ctypes.c_uint32.from_buffer(environment, 28)  # MXCSR
            before = register.value
            if value is not None:
                register.value = value
                libm.fesetenv(environment)
            return before

        rates = []
        for flush in (0, 0x8040):  # results and operands
            usual = control()
            sim = vdsim.Sim("sedan", v0=20)
            sim.set_input(steer=1e-310)
            control(usual | flush)
            try:
                sim.advance(10)
                sim.step()
                after = control()
            finally:
                control(usual)
            self.assertEqual(after & 0x8040, flush)
            rates.append((float(sim.state().r).hex(), sim.snapshot()))
        self.assertNotEqual(float.fromhex(rates[0][0]), 0.0)
        self.assertEqual(rates[0], rates[1])

    def test_locale_of_the_host_changes_nothing(self):
        def all_of_it():
            car = vdsim.Car.preset("sedan").set("chassis.cg_height", 0.5125)
            scene = vdsim.Scene("step_steer", set={"mu": 0.95}).put(car)
            again = pickle.loads(pickle.dumps(scene))
            sim = again.sim()
            sim.advance(300)
            tire = vdsim.Tire.preset("sport_grip")
            tables = [again.to_yaml(), car.to_yaml(), tire.to_yaml(), vdsim.handling(car)["characteristic_speed"]]
            return tables, sim.snapshot(), scene.run(duration=0.5).vx.tobytes()

        plain = all_of_it()
        with comma_locale():
            self.assertEqual(locale.localeconv()["decimal_point"], ",")
            self.assertEqual(all_of_it(), plain)


if __name__ == "__main__":
    unittest.main()

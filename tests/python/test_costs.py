# SPDX-License-Identifier: Apache-2.0
"""What the door costs: time of the import and of a step, memory of what is made and freed."""
import gc
import os
import pickle
import statistics
import subprocess
import sys
import time
import unittest

from common import Case

import vdsim


def resident():
    """[bytes]"""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def cpu_time(work):
    before = time.process_time()
    work()
    return time.process_time() - before


class Costs(Case):
    def test_import(self):
        """CPU time: a busy machine must not fail it. What Python and numpy take is part of it."""
        code = "import time; t = time.process_time(); import vdsim; print(time.process_time() - t)"
        took = min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
                   for _ in range(3))
        print(f"import vdsim: {took:.3f} s")
        self.assertLess(took, 0.3)

    def test_step(self):
        """Sim.step from Python against the same steps in one call: what Python adds to a step of the engine."""
        sim = vdsim.Sim("sedan", v0=20)
        sim.set_input(steer=0.01, throttle=0.1)
        n = 4000

        def one_by_one():
            step = sim.step
            for _ in range(n):
                step()

        one_by_one()
        added = []
        for _ in range(9):
            together = cpu_time(lambda: sim.advance(n))
            added.append((cpu_time(one_by_one) - together) / n)
        took = statistics.median(added)
        print(f"Sim.step: {1e6 * together / n:.2f} us in one call, {1e6 * took:.2f} us more one by one")
        self.assertLess(took, 1.5e-6)

    def grows(self, work, times):
        for _ in range(times // 10):
            work()
        gc.collect()
        before = resident()
        for _ in range(times):
            work()
        gc.collect()
        return resident() - before

    def test_memory_of_what_is_freed(self):
        """A hundred thousand tires, fewer of what takes longer; ten bytes kept of each tire would be seen."""
        tire, car = vdsim.Tire.preset(), vdsim.Vehicle.preset("sedan")
        sim = vdsim.Sim("sedan", v0=10)
        sim.advance(50)
        data = pickle.dumps(sim)
        result = sim.result

        def bad():
            try:
                car.set(mas=1)
            except vdsim.InputError:
                pass

        works = {"tire": lambda: pickle.loads(pickle.dumps(tire)), "car": lambda: pickle.loads(pickle.dumps(car)),
                 "sim": lambda: pickle.loads(data).step(), "result": lambda: pickle.loads(pickle.dumps(result)).vx,
                 "columns": lambda: result.vx, "state": lambda: sim.state().vx, "error": bad,
                 "eval": lambda: tire.eval(4000, alpha=[0.1, 0.2])}
        times = {"tire": 100_000, "car": 3000, "sim": 2000, "result": 10_000, "columns": 100_000, "state": 100_000, "error": 10_000,
                 "eval": 30_000}
        for name, work in works.items():
            with self.subTest(name):
                n = int(os.environ.get("VDSIM_PYTHON_TIMES", times[name]))
                grown = self.grows(work, n)
                print(f"{n} times {name}: {grown / 1e6:.2f} MB")
                self.assertLess(grown, 1e6)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Many cars at once."""
import unittest

import numpy as np
from common import Case

import vdsim


class Batch(Case):
    def test_cars_of_a_batch_are_those_of_a_simulation(self):
        n = 9
        batch = vdsim.Batch("step_steer", n, number="double")
        steer = np.linspace(-0.05, 0.05, n)
        batch.inputs.steer = steer
        batch.inputs.throttle = 0.1
        self.assertEqual(batch.step(1e-3, 200), 0)
        seen = batch.read("x", "vy", "fz_fl")
        self.assertEqual(seen.shape, (n, 3))
        for i in range(n):
            sim = vdsim.Simulation("step_steer")
            sim.set_control(steer=steer[i], throttle=0.1)
            sim.advance(200)
            state = sim.state()
            self.assertEqual(list(seen[i]), [state["x"], state["vy"], state["fz_fl"]])
        np.testing.assert_array_equal(batch.inputs.steer, steer)

    def test_any_number_may_differ_from_car_to_car(self):
        batch = vdsim.Batch("step_steer", 4).set("chassis.mass", [1400, 1500, 1600, 1700]).set("mu", 0.8)
        batch.inputs.brake = 0.5
        batch.step(1e-3, 300)
        vx = batch.read("vx")[:, 0]
        self.assertEqual(len(set(vx)), 4)
        self.assertGreater(batch.info["varied"], 1)

    def test_views_read_and_write_in_place(self):
        batch = vdsim.Batch("step_steer", 20)
        batch.step(1e-3, 10)
        x = batch.view("x")
        self.assertEqual(x.dtype, np.float32)
        lanes = x.shape[1]
        np.testing.assert_array_equal(x.reshape(-1)[:20], batch.read("x")[:, 0])
        x[13 // lanes, 13 % lanes] = 5
        self.assertEqual(batch.read("x")[13, 0], 5)
        out = np.zeros((20, 1))
        self.assertIs(batch.read("x", out=out), out)
        del batch
        self.assertEqual(x[13 // lanes, 13 % lanes], 5)  # the view keeps the cars

    def test_resets_and_snapshots(self):
        batch = vdsim.Batch("step_steer", 5, number="double")
        batch.step(1e-3, 50)
        kept, before = batch.snapshot(2), batch.read("x", "vx", "t")
        batch.reset([0, 0, 1, 0, 0], vx=7, y=[0, 1, 2, 3, 4])
        self.assertEqual(list(batch.read("y", "vx", "t")[2]), [2, 7, 0])
        batch.restore(2, kept)
        np.testing.assert_array_equal(batch.read("x", "vx", "t"), before)
        self.assertTrue(batch.status.all())
        self.assertEqual(batch.why(0), "")

    def test_bad_input(self):
        b = vdsim.Batch("step_steer", 3)
        for text, told in (("b.set('chassis.mas', 1)", "chassis.mass"), ("b.set('chassis.mass', [1, 2])", "expected 1 or 3"),
                           ("b.set('chassis.mass', [1500, -1, 1500])", "car 1: chassis.mass"), ("b.step(1)", "dt"),
                           ("b.read('speeed')", "no such signal"), ("b.view('xx')", "no state"), ("b.snapshot(3)", "3 of 3"),
                           ("b.reset([1])", "expected 3"), ("b.reset(speed=3)", "no part of a pose"), ("b.restore(0, b'')", "cut"),
                           ("setattr(b.inputs, 'steer', [1, 2])", "expected 1 or 3"), ("setattr(b.inputs, 'stear', 1)", "steer"),
                           ("vdsim.Batch('step_steer', 0)", "at least one"), ("vdsim.Batch('step_steer', 1, 'half')", "float or double"),
                           ("b.read('x', out=np.zeros(3))", "shape"), ("b.step(1e-3, -1)", "0 or more")):
            with self.subTest(text), self.assertRaisesRegex(vdsim.InputError, told):
                eval(text, {"b": b, "vdsim": vdsim, "np": np})


if __name__ == "__main__":
    unittest.main()

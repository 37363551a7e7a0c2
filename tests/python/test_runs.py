# SPDX-License-Identifier: Apache-2.0
"""Python gives the bits of the command line."""
import csv
import tempfile
import unittest
import warnings

import numpy as np
from common import Case, command_line

import vdsim


def read_csv(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names = [name.split("[")[0].strip() for name in rows[0]]
    return names, np.array([[float(x) for x in row] for row in rows[1:]])


class Runs(Case):
    def same(self, result, path):
        names, numbers = read_csv(path)
        self.assertEqual(names, result.names)
        self.assertEqual(len(numbers), len(result))
        for i, name in enumerate(names):
            plain = np.array(result[name]) + 0.0  # the file writes -0 as 0
            self.assertEqual(numbers[:, i].tobytes(), plain.tobytes(), name)

    def test_every_scene_has_the_bits_of_the_command_line(self):
        scenes = vdsim.catalog("scene")
        self.assertGreater(len(scenes), 15)
        for scene in scenes:
            with self.subTest(scene), tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                command_line("run", scene, "--precision", 17, "--no-report", "--quiet", "--out", folder + "/a")
                result = vdsim.run(scene)
                for car, rows in result.cars.items():
                    at = "" if len(result.cars) == 1 else car + "/"
                    self.same(rows, f"{folder}/a/{at}run.csv")
                    rows.to_csv(folder + "/b.csv", digits=17)
                    with open(f"{folder}/a/{at}run.csv", encoding="utf-8") as a, open(folder + "/b.csv", encoding="utf-8") as b:
                        self.assertEqual(a.read(), b.read())

    def test_changes_act_as_options_of_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            command_line("run", "step_steer", "--precision", 17, "--quiet", "--no-report", "--out", folder + "/a", "--vehicle",
                         "vehicle.sports_aggressive", "--tire", "tire.sport_grip", "--level", "L3", "--duration", 2, "--set",
                         "chassis.mass=1600", "--set", "mu=0.8")
            result = vdsim.run("step_steer", vehicle="sports", tire="sport_grip", level="L3", duration=2,
                               set={"chassis.mass": 1600, "mu": 0.8})
            self.same(result, folder + "/a/run.csv")

    def test_a_simulation_steps_through_the_rows_of_the_run(self):
        whole = vdsim.run("step_steer", duration=2)
        sim = vdsim.Scene("step_steer", set={"duration": 2}).sim()
        while not sim.done():
            sim.step()
        for name in whole.names:
            self.assertEqual(np.array(whole[name]).tobytes(), np.array(sim.result[name]).tobytes(), name)

    def test_an_experiment_is_the_scene_it_writes(self):
        experiment = vdsim.Experiment("L2").vehicle("sedan").tire("sport_grip").road(vdsim.Road.flat(0.9)).maneuver(
            vdsim.Maneuver.step_steer(v=22))
        result = experiment.run(3)
        with tempfile.TemporaryDirectory() as folder:
            experiment.scene(3).to_yaml(folder + "/scene.yaml")
            command_line("run", folder + "/scene.yaml", "--precision", 17, "--quiet", "--no-report", "--out", folder + "/a")
            self.same(result, folder + "/a/run.csv")

    def test_files_of_a_run(self):
        import os

        with tempfile.TemporaryDirectory() as folder:
            vdsim.run("step_steer", duration=0.5, out=folder + "/out")
            self.assertEqual(sorted(os.listdir(folder + "/out")), [".vdsim_results", "report.html", "resolved.yaml", "run.csv", "summary.json"])
            again = vdsim.run(folder + "/out/resolved.yaml")
            self.assertEqual(again.vx.tobytes(), vdsim.run("step_steer", duration=0.5).vx.tobytes())

    def test_columns_share_memory_and_cannot_be_written(self):
        result = vdsim.run("step_steer", duration=0.5)
        self.assertTrue(np.shares_memory(result["vx"], result.vx))
        with self.assertRaises(ValueError):
            result.vx[0] = 1
        vx = result.vx
        before = vx.copy()
        del result
        self.assertEqual(before.tobytes(), vx.tobytes())

    def test_linearize_has_the_slopes_of_small_steps(self):
        car = vdsim.Scene("step_steer", set={"powertrain.enabled": False}).sim()
        car.set_input(steer=0.02, throttle=0.1)
        car.advance(500)
        A, B, names = car.linearize()
        self.assertEqual(A.shape, (len(names), len(names)))
        self.assertEqual(B.shape, (len(names), 4))
        i, w = names.index("r"), names.index("wheel[1].zy")
        # a push on a bristle turns the car: its stiffness times its arm over the inertia, less what the load transfer takes
        doc = car._scene._doc
        stiff, arm, inertia = doc.get("tire.lugre.rolling.sigma0_lat"), doc.get("chassis.cg_to_front"), doc.get("chassis.inertia_diag")[2]
        self.assertGreater(A[i, w], 0.2 * stiff * arm / inertia)
        self.assertLess(A[i, w], 1.2 * stiff * arm / inertia)
        space = car.state_space()
        self.assertEqual(space["states"], names)
        self.assertEqual(space["C"].shape, (len(space["outputs"]), len(names)))
        k = space["outputs"].index("vx")
        self.assertEqual(space["C"][k].tolist(), [float(name == "vx") for name in names])
        with self.assertRaisesRegex(vdsim.InputError, "control"):
            vdsim.Scene("step_steer", set={"control.abs.enabled": True}).sim().linearize()

    def test_a_run_that_diverges_says_when_and_keeps_its_rows(self):
        scene = vdsim.Scene("accel_brake", set={"level": "L3", "z0": 20})  # no tire takes this landing
        with self.assertRaises(vdsim.NumbersFailed) as caught:
            vdsim.run(scene)
        e = caught.exception
        self.assertGreaterEqual(e.time, 1)
        self.assertGreater(len(e.snapshot), 100)
        self.assertGreater(len(e.result), 190)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Bad input: told with its path and the nearest name, every error at once, and nothing has changed."""
import pickle
import tempfile
import unittest

from common import Case

import vdsim

# what is tried, and what the message must say; c: a car, t: a tire, s: a scene, m: a Sim
BAD = [
    ('c.set(mas=1500)', "did you mean 'mass'"),
    ('c.set("chassis.mas", 1500)', "did you mean 'mass'"),
    ('c.set("chasis.mass", 1500)', "did you mean 'chassis'"),
    ('c.set("chassis.mass", -1)', "chassis.mass: -1 is out of range, expected above 0 kg"),
    ('c.set("chassis.mass", float("nan"))', "chassis.mass"),
    ('c.set("chassis.mass", float("inf"))', "chassis.mass"),
    ('c.set("chassis.mass", "heavy")', "chassis.mass"),
    ('c.set("chassis.mass", [1, 2])', "chassis.mass"),
    ('c.set("chassis.mass", None)', "chassis.mass"),
    ('c.set("chassis.mass", {"a": 1})', "chassis.mass"),
    ('c.set("chassis.inertia_diag", [1, 2])', "chassis.inertia_diag"),
    ('c.set("chassis.inertia_diag", 5)', "chassis.inertia_diag"),
    ('c.set("chassis..mass", 5)', "no such path"),
    ('c.set("", 5)', "unknown key"),
    ('c.set(rate=100)', "sensors.imu.rate, sensors.gnss.rate"),
    ('c.set(sigma0="much")', "sigma0"),
    ('c.set({"chassis.mass": 1700, "chassis.wheelbase": 9})', "wheelbase"),
    ('c.set({"chassis.mas": 1, "brake.bias": 2})', "brake"),
    ('c.set("tire.lugre.law", "roling")', "did you mean 'rolling'"),
    ('c.set("tire.lugre.enabled", 3)', "lugre.enabled"),
    ('c.set("drivetrain.differential", "lokced")', "drivetrain"),
    ('c.set("steering.ackerman_percent", 900)', "ackerman_percent"),
    ('c.chassis.mass = 0', "above 0 kg"),
    ('c.tire_fl.mu_nominal = -1', "mu_nominal"),
    ('c.brake.brake_bias_front = 2', "brake_bias_front"),
    ('c.get("chassis.mas")', "did you mean"),
    ('c.tire = "sport_gripp"', "did you mean 'sport_grip'"),
    ('vdsim.Vehicle.preset("sedann")', "did you mean"),
    ('vdsim.Vehicle.from_yaml("/none/there.yaml")', "there.yaml"),
    ('vdsim.Tire.preset("sport_gripp")', "did you mean 'sport_grip'"),
    ('vdsim.Tire.from_tir("a.yaml")', "ends in .tir"),
    ('vdsim.Tire.from_tir("/none/a.tir")', "a.tir"),
    ('t.lugre(True, sigma=3)', "did you mean 'sigma0'"),
    ('t.set("tire.D_lat", -1)', "D_lat"),
    ('t.set(D_latt=1)', "did you mean 'D_lat'"),
    ('t.eval(-5)', "fz"),
    ('t.eval(4000, alpha=2)', "alpha"),
    ('t.eval(4000, kappa=[0, float("nan")])', "kappa"),
    ('t.eval([1, 2, 3], kappa=[1, 2])', "do not fit together"),
    ('t.eval([])', "no points"),
    ('t.eval(4000, use_mode=777)', "777"),
    ('vdsim.Scene("step_ster")', "did you mean 'step_steer'"),
    ('vdsim.run("step_ster")', "did you mean 'step_steer'"),
    ('vdsim.run("step_steer", level="L4")', "L3"),
    ('vdsim.run("step_steer", level="L7")', "level"),
    ('vdsim.run("step_steer", duration=-1)', "duration"),
    ('vdsim.run("step_steer", set={"mue": 1})', "did you mean 'mu'"),
    ('vdsim.run("step_steer", digits=40)', "digits"),
    ('vdsim.run("step_steer", format="xls")', "format"),
    ('vdsim.run("two_vehicle_race", vehicle="sedan")', "several"),
    ('s.set("solver.dt", 1)', "solver.dt"),
    ('s.set("driver.steer", [[1, 0], [0, 1]])', "driver.steer"),
    ('s.set("grade", "steep")', "grade"),
    ('s.grade = 1e9', "grade"),
    ('s.sim(car="egoo")', "did you mean 'ego'"),
    ('vdsim.Simulation("two_vehicle_race")', "sedan, sports"),
    ('m.set_input(throttle=2)', "throttle"),
    ('m.set_input(steer=float("nan"))', "steer"),
    ('m.set_input(speed=float("nan"))', "speed"),
    ('m.set_input(speed=10, force=100)', "one of speed"),
    ('m.set_input(gear=1.5)', "gear"),
    ('m.set_input({"steeer": 1})', "did you mean 'steer'"),
    ('m.set_input(follow_path=True)', "no path"),
    ('m.set_input(vdsim.CmdL4(brake=-1))', "brake"),
    ('m.restore(b"")', "snapshot"),
    ('m.restore(m.snapshot()[:-3])', "snapshot"),
    ('m.restore(bytes(len(m.snapshot())))', "snapshot"),
    ('m.advance(-1)', "n: "),
    ('m.run_core_dt(-1)', "dt"),
    ('m.measurements("imu")', "sensors"),
    ('m.state()["vxx"]', "did you mean 'vx'"),
    ('m.result["fz_fll"]', "did you mean 'fz_fl'"),
    ('m.result.metric("peak_a")', "did you mean 'peak_ay'"),
    ('m.result.metric("lap_time")', "does not exist"),
    ('m.result.to_csv("/tmp/x.csv", digits=99)', "digits"),
    ('m.plot("vx", path="a.jpg")', ".svg"),
    ('vdsim.Sim("sedan", dt=0.0015)', "multiple"),
    ('vdsim.Sim("sedan", road=vdsim.Road.iso8608("Z"))', "iso_class"),
    ('vdsim.Sim("sedan", road=vdsim.Road.preset("belgian_pav"))', "did you mean 'belgian_pave'"),
    ('vdsim.Sim("sedan", v0=1e9)', "vx0"),
    ('vdsim.Sim("sedan", dt=0)', "dt: expected a time above 0 s"),
    ('vdsim.Sim("sedan", substep=float("nan"))', "substep"),
    ('vdsim.Sim("sedan", integrator="rk5")', "did you mean 'rk4'"),
    ('vdsim.Maneuver.path([])', "waypoints"),
    ('vdsim.Experiment().run(-1)', "duration: -1"),
    ('vdsim.load("none.yaml")', "no such file"),
    ('vdsim.Road(mue=1)', "did you mean 'mu'"),
    ('vdsim.maneuver("iso740")', "did you mean"),
    ('vdsim.maneuver("iso7401", set={"spee": 3})', "did you mean the parameter 'speed'"),
    ('vdsim.handling(speed=1, radius=1)', "radius"),
    ('vdsim.handling(level="L3")', "L1 and L2"),
    ('vdsim.validate("no such case")', "no case"),
    ('vdsim.catalog("tyre")', "did you mean 'tire'"),
    ('vdsim.load("step_ster")', "did you mean 'step_steer'"),
    ('vdsim.Rig("sport_grip").step(60, 20, 0, -5)', "fz"),
    ('vdsim.Rig("sport_grip").step(60, 20, 0, 4000, h=-1)', "h: "),
    ('vdsim.Rig("sport_grip").run({"t": [0, 1], "omgea": [1, 2], "vx": 20, "vy": 0, "fz": 4000})', "did you mean 'omega'"),
    ('vdsim.Rig("sport_grip").run({"t": [0, 1, 2], "omega": [1, 2], "vx": 20, "vy": 0, "fz": 4000})', "omega"),
    ('vdsim.Tire.fit({"fz": [1], "kappa": [0], "alpha": [0], "fx": [0], "fy": [0]})', "points"),
    ('vdsim.Tire.fit({"fz": [1]}, model="mf97")', ""),
]


class BadInput(Case):
    def setUp(self):
        self.names = {"vdsim": vdsim, "c": vdsim.Vehicle.preset("sedan"), "t": vdsim.Tire.preset(),
                      "s": vdsim.Scene("step_steer"), "m": vdsim.Sim("sedan", v0=10)}

    def state(self):
        n = self.names
        return n["c"].to_yaml(), n["t"].to_yaml(), n["s"].to_yaml(), n["m"].snapshot(), str(n["m"]._held)

    def test_told_with_the_path_and_nothing_changed(self):
        self.assertGreaterEqual(len(BAD), 60)
        for text, told in BAD:
            with self.subTest(text):
                before = self.state()
                with self.assertRaises(vdsim.InputError) as caught:
                    exec(text, dict(self.names))  # noqa: S102
                self.assertIn(told, str(caught.exception))
                self.assertTrue(caught.exception.errors)
                for e in caught.exception.errors:
                    self.assertTrue(e.what)
                self.assertEqual(before, self.state())

    def test_a_name_that_does_not_exist_is_no_new_attribute(self):
        c, s = self.names["c"], self.names["s"]
        for owner, name in ((c, "chasis"), (c.chassis, "mas"), (c.tire.lugre, "sigma"), (s, "grad"), (s.solver, "dtt")):
            with self.subTest(name):
                with self.assertRaisesRegex(AttributeError, "did you mean"):
                    setattr(owner, name, 1)
                with self.assertRaisesRegex(AttributeError, "did you mean"):
                    getattr(owner, name)

    def test_every_error_at_once_with_its_place(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("id: a\nmue: 1\nfleet:\n  - {id: ego, levle: L2, vx0: fast}\n")
            file.flush()
            with self.assertRaises(vdsim.InputError) as caught:
                vdsim.Scene(file.name)
        errors = caught.exception.errors
        self.assertEqual([(e.line, e.path.split(".")[-1]) for e in errors], [(2, "mue"), (4, "levle"), (4, "vx0")])
        self.assertTrue(all(e.file == file.name and e.column > 0 for e in errors))

    def test_several_bad_values_are_told_together(self):
        with self.assertRaises(vdsim.InputError) as caught:
            self.names["c"].set({"chassis.mass": -1, "brake.brake_bias_front": 7, "chassis.wheelbas": 3})
        self.assertEqual(len(caught.exception.errors), 3)

    def test_two_values_that_belong_together_are_one_change(self):
        c = self.names["c"]
        with self.assertRaises(vdsim.InputError):
            c.set("chassis.wheelbase", 2.8)
        c.set({"chassis.wheelbase": 2.8, "chassis.cg_to_front": 1.3})
        self.assertEqual((c.chassis.wheelbase, c.chassis.cg_to_front), (2.8, 1.3))

    def test_the_wrong_kind_of_thing_is_a_type_error(self):
        for text in ("vdsim.Car(3)", "vdsim.Scene(None)", "vdsim.Tire.preset(5)", "vdsim.run(3)", "vdsim.load(3)", "vdsim.Sim(3)",
                     "vdsim.Rig(3)", "m.set_input('left')", "m.set_input(steer='a')", "m.set_input(torque=[1, 2])", "c.set(5)",
                     "vdsim.run('step_steer', set='mu=1')", "m.advance(1.5)", "vdsim.maneuver('iso7401', 3)",
                     "vdsim.Experiment().maneuver(vdsim.Maneuver(lambda t, s: None)).run(0.1)", "m.done()"):
            before = self.state()
            with self.subTest(text), self.assertRaises(TypeError):
                eval(text, dict(self.names))
            self.assertEqual(before, self.state())

    def test_what_is_not_there_yet_says_so(self):
        import vdsim_rl

        for text in ("vdsim.Batch('step_steer', 8)", "s.to_fmu('a.fmu')", "vdsim.rl", "vdsim_rl.VDSimEnv",
                     "vdsim.Experiment().kinematics('a', 'b')"):
            with self.subTest(text), self.assertRaisesRegex(NotImplementedError, "not there yet"):
                eval(text, {**self.names, "vdsim_rl": vdsim_rl})
        for name in ("make_sim_session", "make_init_state", "create_bicycle", "create_stunt_dof", "create_tire_from_params"):
            with self.subTest(name), self.assertRaisesRegex(NotImplementedError, "use "):
                getattr(vdsim, name)()

    def test_pickles_of_other_versions_are_refused(self):
        for name in ("c", "m"):
            data = pickle.dumps(self.names[name]).replace(vdsim.__version__.encode(), b"9" * len(vdsim.__version__))
            with self.subTest(name), self.assertRaisesRegex(vdsim.InputError, "pickled by VDSim 9"):
                pickle.loads(data)

    def test_errors_travel_between_processes(self):
        with self.assertRaises(vdsim.InputError) as caught:
            self.names["c"].set(mas=1)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.errors), (str(caught.exception), caught.exception.errors))

    def test_a_snapshot_of_another_car_is_refused(self):
        other = vdsim.Sim("sports", v0=10)
        with self.assertRaises(vdsim.InputError):
            self.names["m"].restore(other.snapshot())



if __name__ == "__main__":
    unittest.main()

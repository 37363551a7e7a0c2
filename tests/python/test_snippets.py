# SPDX-License-Identifier: Apache-2.0
"""The calls that users of VDSim 0.7 know, each doing what its name says."""
import copy
import math
import os
import pickle
import tempfile
import unittest

import numpy as np
from common import ROOT, Case

import vdsim
import vdsim_lab
from vdsim_lab import Experiment, Maneuver, Road, Sensors, Sim, Simulation, Tire, Vehicle
from vdsim_plant import VDSimPlant
from vdsim._fields import attribute_of


class Snippets(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_01_tire_preset_without_lugre(self):
        tire = Tire.preset("default_pacejka").lugre(False)
        self.assertFalse(tire.lugre.enabled)
        self.assertTrue(Tire.preset().lugre(True, sigma0=2e5).lugre.enabled)
        self.assertEqual(Tire.preset().lugre(True, sigma0=2e5).lugre.sigma0, 2e5)

    def test_02_tire_from_yaml(self):
        Tire.preset("sport_grip").set(mu_nominal=1.01).to_yaml(self.folder + "/mine.yaml")
        self.assertEqual(Tire.from_yaml(self.folder + "/mine.yaml").mu_nominal, 1.01)

    def test_03_vehicle_set(self):
        car = Vehicle.preset("sedan").set(mass=1600, cg_height=0.5)
        self.assertEqual((car.chassis.mass, car.chassis.cg_height), (1600, 0.5))
        self.assertIs(vdsim.Car, vdsim.Vehicle)

    def test_04_presets_of_the_original(self):
        for name in ("sedan", "sports", "race_car", "fsk_formula", "vehicle.sedan_l3", "suv"):
            self.assertGreater(Vehicle.preset(name).chassis.mass, 100)

    def test_05_final_drive_ratio_by_its_name(self):
        car = Vehicle.preset("sedan")
        self.assertEqual(car.set(final_drive_ratio=5).drivetrain.final_drive_ratio, 5)

    def test_06_flat_road_with_friction(self):
        r = Experiment("L2").road(Road.flat(0.5)).maneuver(Maneuver.brake(1.0, v=20)).run(1)
        self.assertAlmostEqual(r.mu_fl[0], 0.5)
        self.assertLess(np.max(np.abs(r.ax)), 0.7 * 9.81)

    def test_07_inclined_road(self):
        r = Experiment().road(Road.inclined(grade=0.1)).maneuver(Maneuver(v0=10)).run(1)
        self.assertLess(r.vx[-1], 10 - 0.9 * 9.81 * math.sin(math.atan(0.1)))

    def test_08_split_mu(self):
        r = Experiment().road(Road.split_mu(1.0, 0.5)).maneuver(Maneuver.brake(0.3, v=15)).run(0.5)
        self.assertGreater(r.mu_fl[0], r.mu_fr[0])

    def test_09_iso8608_shakes_a_car_on_springs(self):
        r = Experiment("L3").road(Road.iso8608("C")).maneuver(Maneuver.constant_speed(20)).run(2)
        self.assertGreater(np.std(r.az), 0.1)

    def test_10_psd_and_preset_roads(self):
        for road in (Road.psd(64e-6), Road.preset("belgian_pave")):
            r = Experiment("L3").road(road).maneuver(Maneuver.constant_speed(10)).run(1)
            self.assertGreater(np.std(r.fz_fl), 1)

    def test_11_sensors(self):
        sim = Sim("sedan", sensors=Sensors(7).imu(0.05, 0.002).gnss(0.3, 0.05).wheel_speed(0.05).steer(0.001), v0=10)
        sim.advance(200)
        imu = sim.measurements("imu")
        self.assertIn("m_gz", imu)
        self.assertNotIn("m_gnss_x", imu)
        self.assertIn("m_gnss_x", sim.measurements("gnss"))
        self.assertIn("m_steer", sim.measurements())

    def test_12_constant_speed(self):
        self.assertAlmostEqual(Experiment().maneuver(Maneuver.constant_speed(18)).run(3).vx[-1], 18, delta=0.1)

    def test_13_accel(self):
        self.assertGreater(Experiment().maneuver(Maneuver.accel()).run(3).vx[-1], 5)

    def test_14_brake(self):
        r = Experiment().maneuver(Maneuver.brake()).run(1)
        self.assertEqual(r.vx[0], 25)
        self.assertLess(r.vx[-1], 18.5)

    def test_15_step_steer(self):
        r = Experiment().maneuver(Maneuver.step_steer(20, 0.03, t0=1)).run(3)
        self.assertLess(abs(r.yaw_rate[r.t < 0.99]).max(), 1e-9)
        self.assertGreater(r.yaw_rate[-1], 0.1)

    def test_16_path(self):
        way = [[0, 0], [30, 0], [60, 3], [100, 3], [160, 3]]
        r = Experiment().maneuver(Maneuver.path(way, v=12)).run(8)
        self.assertAlmostEqual(r.y[-1], 3, delta=0.3)
        self.assertLess(r.metric("cte_max"), 1)
        self.assertGreater(r.metric("cte_max"), r.metric("cte_rms"))

    def test_17_the_chain_of_an_experiment(self):
        r = Experiment(level="L2", dt=0.005).vehicle("sports").tire(Tire.preset("sport_grip")).road(Road.flat(0.9)).maneuver(
            Maneuver.constant_speed(20)).sensors(Sensors(1).imu()).run(1)
        self.assertEqual(len(r), 201)
        self.assertIn("m_ax", r)

    def test_18_from_config(self):
        r = Experiment.from_config("step_steer").tire("sport_grip").run(2)
        self.assertEqual(r.t[-1], 2)

    def test_19_trace(self):
        e = Experiment().maneuver(Maneuver.constant_speed(10)).enable_trace(self.folder + "/trace.csv")
        e.run(0.1)
        self.assertTrue(os.path.getsize(e.finalize_trace()) > 1000)

    def test_20_result(self):
        r = vdsim.run("step_steer", duration=3)
        self.assertEqual(r.col("yaw").tobytes(), r.psi.tobytes())
        self.assertEqual(r["Fz2"].tobytes(), r["fz_rl"].tobytes())
        self.assertEqual(r["a0"].tobytes(), r["alpha_fl"].tobytes())
        self.assertEqual(r["k3"].tobytes(), r["kappa_rr"].tobytes())
        self.assertEqual((r.summary["verdict"], r.summary()["verdict"]), ("done", "done"))
        self.assertEqual(r.to_numpy().shape, (len(r), len(r.names)))

    def test_21_metrics(self):
        r = vdsim.run("step_steer", duration=3)
        m = r.metrics("peak_ay", "max_Fz", "vmax", "dist", "rms_slip")
        self.assertAlmostEqual(m["peak_ay"], np.abs(r.ay).max())
        self.assertEqual(r.metrics["vmax"], r.metrics()["vmax"])
        with self.assertRaises(vdsim.InputError):
            r.metrics("lap_time")
        self.assertAlmostEqual(m["dist"], r.summary["distance_m"], places=6)

    def test_22_register_metric(self):
        vdsim_lab.register_metric("mean_vx", lambda r: r.vx.mean())
        self.assertAlmostEqual(vdsim.run("step_steer", duration=1).metric("mean_vx"), 22.22, places=1)

    def test_23_simulation_by_its_name(self):
        sim = Simulation("step_steer")
        sim.set_control(steer=0.02, speed=20)
        for _ in range(100):
            sim.step()
        self.assertAlmostEqual(sim.get_data("t"), 0.5)
        self.assertAlmostEqual(sim.state().steer, 0.02, places=3)
        self.assertFalse(sim.done())
        sim.set_control(None)
        sim.step(1000)
        self.assertGreater(sim.time, 5)

    def test_23b_an_external_car_waits_for_you_and_brakes_when_you_are_silent(self):
        scene = vdsim.Scene("step_steer", set={"control": "external"})
        with self.assertRaisesRegex(vdsim.InputError, "Python"):
            vdsim.run(scene)
        sim = scene.sim()
        sim.set_control(throttle=0.2)
        sim.step(100)
        self.assertEqual((sim.state().stale, sim.state().throttle), (0, 0.2))
        sim.set_control(None)
        sim.step(30)  # 0.15 s, more than cmd_timeout
        self.assertEqual((sim.state().stale, sim.state().brake), (1, 0.3))

    def test_24_sim_with_positional_input(self):
        sim = Sim("sedan", "default_pacejka", "L2", v0=15)
        sim.set_input(0.02, 0.2, 0.0, 1)
        sim.run_core_dt()
        self.assertAlmostEqual(sim.time, 0.005)
        self.assertEqual(sim.state().throttle, 0.2)

    def test_25_every_command_level(self):
        for cmd in (vdsim.CmdL1(torque_rl=100, torque_rr=100), vdsim.CmdL2(torque_rear=200), vdsim.CmdL3(force=600),
                    vdsim.CmdL4(throttle=0.1), vdsim.CmdL5(acceleration=0.5), vdsim.CmdL6(speed=11),
                    vdsim.CmdL7(speed=11, curvature=0.0)):
            with self.subTest(cmd):
                sim = Sim("sedan", v0=10)
                sim.set_input(cmd)
                sim.advance(500)
                self.assertGreater(sim.state().vx, 10.05)
        sim = vdsim.Scene("four_surfaces").sim()
        sim.set_control(vdsim.CmdL8(speed=20))
        sim.step(100)
        self.assertLess(sim.state().vx, 25)

    def test_26_log_extra_csv_plot_done(self):
        sim = Sim("sedan", v0=10)
        while not sim.done(0.1):
            sim.set_input(speed=10)
            sim.run_core_dt()
            sim.log_extra(error=10 - sim.state().vx)
        self.assertEqual(len(sim.result["error"]), 20)
        sim.to_csv(self.folder + "/sim.csv")
        self.assertIn("<svg", sim.plot("vx").text)
        self.assertIn("dist", sim.metrics)

    def test_27_plant(self):
        plant = VDSimPlant(friction_map=[(30, 60, 0.3)], base_mu=0.9)
        self.assertAlmostEqual(plant.sim.scene.chassis.mass, 2359)
        obs = plant.reset([0, 0, 0, 15, 0, 0])
        self.assertEqual((obs["X"], obs["vx"]), (0, 15))
        for _ in range(60):
            obs = plant.step(np.array([0.01, 500.0]))
        self.assertEqual(len(obs["wheel"]), 4)
        self.assertGreater(obs["psi"], 0.05)
        self.assertAlmostEqual(obs["wheel"][0]["mu"], 0.3, places=2)
        on_ice = obs["wheel"][0]
        self.assertLess(on_ice["mu_peak"], 0.45)
        self.assertLess(on_ice["alpha_peak"], plant._peaks["fl"](on_ice["Fz"], 0.9)["alpha_peak"])

    def test_27_plant_in_a_turn(self):
        """A plant that starts with the motion of another one goes on like it once its tires have their force: after some
        relaxation lengths, 7 m. Each wheel rolls as its hub goes: the inner ones slower, none with slip."""
        for level in ("L2", "L3", "L5"):
            first, other = VDSimPlant(level=level), VDSimPlant(level=level)
            first.reset([0, 0, 0, 15, 0, 0])
            for _ in range(60):
                obs = first.step([0.03, 300.0])
            began = other.reset([obs[k] for k in ("X", "Y", "psi", "vx", "vy", "r")])
            with self.subTest(level):
                self.assertEqual([began[k] for k in ("vy", "r")], [obs[k] for k in ("vy", "r")])
                self.assertGreater(obs["r"], 0.1)
                self.assertLess(max(abs(w["kappa"]) for w in began["wheel"]), 1e-3)
                omega = other.sim.state()
                self.assertLess(omega.omega_fl, omega.omega_fr - 0.3)  # r track / R
                for _ in range(10):
                    obs, began = first.step([0.03, 300.0]), other.step([0.03, 300.0])
                self.assertAlmostEqual(began["r"], obs["r"], delta=0.02 * obs["r"])
                self.assertAlmostEqual(began["vx"], obs["vx"], delta=0.01)
        for bad, told in (([0, 0, 0, 15, 1e3, 0], "vy: "), ([0, 0, 0, 15, 0, float("nan")], "r: ")):
            with self.assertRaisesRegex(vdsim.InputError, told):
                other.reset(bad)

    def test_28_function_as_driver(self):
        r = Experiment().maneuver(Maneuver(lambda t, s: {"steer": 0.02 if t > 0.5 else 0.0, "speed": 15}, v0=15)).run(2)
        self.assertGreater(r.yaw_rate[-1], 0.05)
        self.assertEqual(len(r), 401)

    def test_29_copies_and_pickles(self):
        sim = Sim("sedan", v0=20)
        sim.set_input(steer=0.03, speed=20)
        sim.advance(100)
        twins = [copy.copy(sim), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
        for twin in twins:
            twin.advance(50)
        sim.advance(50)
        for twin in twins:
            self.assertEqual(twin.snapshot(), sim.snapshot())
        car = Vehicle.preset("sedan").set(mass=1555)
        again = pickle.loads(pickle.dumps(car))
        self.assertEqual(again, car)
        again.chassis.mass = 1400
        self.assertEqual(car.chassis.mass, 1555)
        r = pickle.loads(pickle.dumps(vdsim.run("two_vehicle_race", duration=1)))
        self.assertEqual((list(r.cars), r.cars["sedan"] is r), (["sedan", "sports"], True))

    def test_30_scene_changed_and_written(self):
        scene = vdsim.Scene("step_steer", set={"mu": 0.7})
        scene.put(vehicle="sports", tire="sport_grip")
        scene.to_yaml(self.folder + "/scene.yaml")
        again = vdsim.Scene(self.folder + "/scene.yaml")
        self.assertEqual(again.hash, scene.hash)
        self.assertEqual((again.mu, again.road.keys["mu"], again.cars), (0.7, 0.7, ["ego"]))

    def test_30b_the_road_of_a_scene_comes_whole(self):
        road = vdsim.Scene("ice_patch").road
        sim = Sim("sedan", road=road, x0=50, y0=10)
        self.assertAlmostEqual(sim.state().mu_fl, 0.15, places=6)

    def test_31_tir_tire_on_a_car(self):
        tire = Tire.from_tir(ROOT / "configs/tir/typical_235_45R18_mf62.tir")
        car = Vehicle.preset("sedan")
        car.tire = tire
        self.assertEqual(car.tire_rr.backend, "magic_formula")
        on_it = vdsim.run("step_steer", vehicle=car, duration=2)
        self.assertEqual(on_it.ay.tobytes(), vdsim.run("step_steer", tire=tire, duration=2).ay.tobytes())
        self.assertNotEqual(on_it.ay[-1], vdsim.run("step_steer", duration=2).ay[-1])
        car.tire_rear = "sport_grip"
        self.assertEqual((car.tire_fl.backend, car.tire_rl.mu_nominal), ("magic_formula", Tire.preset("sport_grip").mu_nominal))
        self.assertLess(tire.eval(4000, alpha=0.05)["fy"], -2000)
        self.assertEqual(pickle.loads(pickle.dumps(car)).hash, car.hash)

    def test_31b_every_tire_goes_onto_a_car_and_comes_back(self):
        car = Vehicle.preset("sedan")
        self.assertEqual(car.tire_at("fl").eval(4000, alpha=0.05), Tire.preset("touring_front").eval(4000, alpha=0.05))
        self.assertEqual(car.tire_at("rr").eval(4000, alpha=0.05), Tire.preset("default_pacejka").eval(4000, alpha=0.05))
        for name in vdsim.catalog("tire"):
            with self.subTest(name):
                tire = Tire.preset(name)
                car.tire = tire
                again = car.tire_at("rl")
                self.assertEqual(again.eval(3500, kappa=0.03, alpha=0.04), tire.eval(3500, kappa=0.03, alpha=0.04))
                again = again.to_yaml().partition("body:")[2]
                self.assertEqual(again, tire.to_yaml().partition("body:")[2])

    def test_31c_a_manoeuvre_on_a_car_made_in_python(self):
        car = Vehicle.preset("sedan")
        car.tire = Tire.from_tir(ROOT / "configs/tir/typical_235_45R18_mf62.tir")
        a = vdsim.maneuver("step_steer", car).metrics["yaw_rate"]
        b = vdsim.maneuver("step_steer", "sedan", tire=Tire.from_tir(ROOT / "configs/tir/typical_235_45R18_mf62.tir"))
        self.assertEqual(a, b.metrics["yaw_rate"])

    def test_32_change_while_driving(self):
        sim = Sim("sedan", v0=20)
        sim.set_input(speed=20, steer=0.02)
        sim.advance(1000)
        before = sim.state()
        sim.change(Vehicle.preset("sedan").set(mass=1900, mass_sprung=1700))
        self.assertEqual(sim.state().vx, before.vx)
        self.assertEqual(sim.scene.chassis.mass, 1900)
        twin = pickle.loads(pickle.dumps(sim))
        for each in (sim, twin):
            each.advance(10)
        self.assertEqual(sim.snapshot(), twin.snapshot())
        sim.change(vdsim.Scene("step_steer", set={"level": "L3"}))
        sim.advance(10)
        self.assertIn("roll", sim.state().keys())

    def test_33_reset_and_restore(self):
        sim = Sim("sedan", v0=20)
        start = sim.snapshot()
        sim.set_input(brake=0.5)
        sim.advance(300)
        sim.restore(start)
        self.assertEqual((sim.time, sim.state().vx), (0, 20))
        sim.reset(1, 2, 0.3, 5)
        self.assertEqual((sim.state().x, sim.state().y, sim.state().vx), (1, 2, 5))
        sim.reset(vx=7)
        self.assertEqual((sim.state().x, sim.state().vx), (0, 7))
        sim.reset(y=3)
        self.assertEqual((sim.state().y, sim.state().vx), (3, 20))
        race = Simulation("two_vehicle_race", car="sports")
        race.reset(vx=3)
        self.assertEqual((race.state().y, race.state().vx), (-2, 3))
        sim.reset()
        self.assertEqual(sim.snapshot(), start)

    def test_34_rig(self):
        rig = vdsim.Rig("default_pacejka")
        steady = rig.sweep(alpha=np.linspace(0, 0.2, 21), fz=4000, vx=20)
        by_law = rig.tire.eval(4000, alpha=np.linspace(0, 0.2, 21), vx=20)["fy"]
        np.testing.assert_allclose(steady.fy, by_law, rtol=1e-6, atol=1e-6)
        out = rig.step(60, 19.2, 0, 4000)
        for _ in range(1000):
            out = rig.step(60, 19.2, 1.0, 4000)
        self.assertAlmostEqual(out.fy, rig.sweep(alpha=math.atan2(1, 19.2), vx=19.2).fy[0], delta=30)
        self.assertGreater(len(rig.states), 1)
        table = {"t": [0, 1], "omega": [60, 60], "vx": 19.2, "vy": [0, 1], "fz": 4000}
        self.assertEqual(len(rig.run(table, dt=0.01)), 101)

    def test_35_maneuver_and_its_metrics(self):
        study = vdsim.maneuver("step_steer", "sedan", set={"chassis.mass": 1600})
        self.assertTrue(study.passed)
        self.assertGreater(study.metrics["yaw_rate"], 0.2)
        with self.assertRaises(vdsim.InputError):
            study.metrics["yaw_rat"]
        self.assertGreater(len(study.recording), 7000)

    def test_36_handling_and_validate(self):
        self.assertGreater(vdsim.handling("sedan")["characteristic_speed"], 5)
        self.assertNotEqual(vdsim.handling("sedan")["characteristic_speed"],
                            vdsim.handling("sedan", tire="sport_grip")["characteristic_speed"])

    def test_37_documentation_is_in_the_properties(self):
        car = Vehicle.preset("sedan")
        self.assertEqual(type(car.chassis).mass.__doc__, "[kg] whole car; above 0 kg; default 1500")
        self.assertIn("chassis", dir(car))
        paths = [f.path for f in vdsim.fields(car)]
        self.assertIn("chassis.mass", paths)
        self.assertEqual([p for p in paths if not _has(car, p)], [])
        scene = vdsim.Scene("step_steer")
        self.assertEqual([f.path for f in vdsim.fields(scene) if not _has(scene, f.path)], [])
        for name in vdsim.catalog("tire"):
            tire = Tire.preset(name)
            self.assertEqual([f.path for f in vdsim.fields(tire) if not _has(tire, f.path[len("tire."):])], [])

    def test_38_html_and_files(self):
        r = vdsim.run("step_steer", duration=0.5)
        for thing in (r, Vehicle.preset("sedan"), Tire.preset(), vdsim.Scene("step_steer"), Sim("sedan"), r.plot("vx")):
            self.assertRegex(thing._repr_html_(), "<(details|div|svg)")
        r.to_hdf5(self.folder + "/a.h5")
        self.assertGreater(os.path.getsize(self.folder + "/a.h5"), 1000)
        r.plot("vx", "ay", path=self.folder + "/a.svg")
        Tire.preset().plot(Tire.preset("sport_grip"), path=self.folder + "/tires.svg")
        with open(self.folder + "/tires.svg", encoding="utf-8") as file:
            self.assertIn("<svg", file.read())

    def test_39_to_pandas_or_a_clear_word(self):
        r = vdsim.run("step_steer", duration=0.1)
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-pandas"):
                r.to_pandas()
        else:
            self.assertEqual(list(r.to_pandas().columns), r.names)

    def test_40_load_knows_what_it_reads(self):
        kinds = {"step_steer": vdsim.Scene, "vehicle.suv": Vehicle, "tire.rally": Tire,
                 str(ROOT / "configs/scenes/step_steer.yaml"): vdsim.Scene, str(ROOT / "configs/blueprints/suv.yaml"): Vehicle,
                 str(ROOT / "configs/tir/book_205_60R15.tir"): Tire}
        for name, kind in kinds.items():
            self.assertIs(type(vdsim.load(name)), kind)
        self.assertGreater(vdsim.load("brake.sedan").get("max_brake_torque"), 100)


def _has(obj, path):
    *blocks, leaf = (attribute_of(name) for name in path.split("."))
    for name in blocks:
        if not isinstance(getattr(type(obj), name, None), property):
            return False
        obj = getattr(obj, name)
    return isinstance(getattr(type(obj), leaf, None), property)


if __name__ == "__main__":
    unittest.main()

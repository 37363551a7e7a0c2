# SPDX-License-Identifier: Apache-2.0
"""Road, Sensors, Maneuver, Experiment: a scene put together in Python, with the names of VDSim 0.7."""
import os

import numpy as np

from ._core import composed_document, level_of, need_choice, need_time, quoted
from ._errors import bad_value, not_there_yet
from ._specs import Scene, tire_of, vehicle_of

# spectra of roads that VDSim 0.7 names
_ROADS = {
    "smooth": {"iso_class": "A"},
    "belgian_pave": {"psd": {"gd_n0": 1e-3, "waviness": 1.6, "n_max": 8.0}},
    "gravel": {"iso_class": "D"},
    "ice": {"mu": 0.15},
    "wet": {"mu": 0.6},
}
_ROAD_KEYS = ("mu", "grade", "bank", "split_mu", "surface", "temperature", "sections", "patches", "rough_amp", "rough_wl",
              "iso_class", "psd", "stunt", "wind", "terrain", "interpolation")


class Road:
    """The road of an experiment: Road.flat(0.8), Road.inclined(grade=0.08), Road.iso8608("C"); `keys` as scenes write them.

    Every way but preset() also takes other keys of a road: Road.flat(1, wind={"speed": 10}).
    """

    def __init__(self, **keys):
        for key in keys:
            need_choice("road", key, _ROAD_KEYS)
        self.keys = keys
        self._text = "".join(f"{key}: {quoted(value)}\n" for key, value in keys.items())

    @classmethod
    def flat(cls, mu=1.0, **keys):
        """A plane of friction mu."""
        return cls(mu=mu, **keys)

    @classmethod
    def inclined(cls, grade=0.0, bank=0.0, mu=1.0, **keys):
        """A slope; grade and bank are tangents, as in scenes (VDSim 0.7: angles in rad)."""
        return cls(grade=grade, bank=bank, mu=mu, **keys)

    @classmethod
    def split_mu(cls, mu_left=1.0, mu_right=0.5, boundary_y=0.0, **keys):
        """Other friction left and right of y = boundary_y."""
        return cls(split_mu={"mu_left": mu_left, "mu_right": mu_right, "boundary_y": boundary_y}, **keys)

    @classmethod
    def iso8608(cls, iso_class="C", mu=1.0, seed=None, **keys):
        """Unevenness by ISO 8608, A to H. Wheels feel it at L3 and L5."""
        return cls(mu=mu, iso_class=iso_class, **({} if seed is None else {"psd": {"seed": seed}}), **keys)

    @classmethod
    def psd(cls, gd_n0, waviness=2.0, n_break=0.0, waviness_high=2.0, n_max=4.0, mu=1.0, **keys):
        """Unevenness by its spectrum: gd_n0 [m^3] at 0.1 cycles/m."""
        spectrum = {"gd_n0": gd_n0, "waviness": waviness, "n_break": n_break, "waviness_high": waviness_high, "n_max": n_max}
        return cls(mu=mu, psd=spectrum, **keys)

    @classmethod
    def patches(cls, *patches, mu=1.0, **keys):
        """Patches of other friction: dicts with polygon [[x, y], ..] and mu."""
        return cls(mu=mu, patches=list(patches), **keys)

    @classmethod
    def terrain(cls, path, interpolation="bicubic", mu=1.0, **keys):
        """Heights from a file: .asc, .csv or .crg."""
        crg = os.fspath(path).endswith(".crg")
        return cls(mu=mu, terrain=os.path.abspath(path), **({} if crg else {"interpolation": interpolation}), **keys)

    @classmethod
    def preset(cls, name):
        """smooth, belgian_pave, gravel, ice, wet."""
        return cls(**_ROADS[need_choice("road", name, _ROADS)])

    @classmethod
    def _of(cls, scene):
        out = cls(**{key: scene.get(key) for key in ("mu", "grade", "bank")})
        lines = scene.to_yaml().splitlines(keepends=True)  # all that it is stands between these two
        begin = next(i for i, line in enumerate(lines) if line.startswith("cmd_timeout:")) + 1
        out._text = "".join(lines[begin:lines.index("solver:\n")])
        return out

    def __repr__(self):
        return "Road(" + ", ".join(f"{k}={v!r}" for k, v in self.keys.items()) + ")"


def road_of(road):
    """A Road from a Road, a friction, a preset's name or nothing."""
    if road is None:
        return Road.flat()
    if isinstance(road, Road):
        return road
    if isinstance(road, str):
        return Road.preset(road)
    if isinstance(road, dict):
        return Road(**road)
    return Road.flat(float(road))


class Sensors:
    """Sensors of a car: Sensors(seed=1).imu().gnss().wheel_speed().steer(); what is not named is off."""

    def __init__(self, seed=1):
        self.values = {"sensors.enabled": True, "sensors.seed": int(seed)}
        for block in ("imu", "gnss", "wheel_speed", "steer"):
            self.values[f"sensors.{block}.enabled"] = False

    def _add(self, block, **values):
        self.values[f"sensors.{block}.enabled"] = True
        self.values.update({f"sensors.{block}.{k}": v for k, v in values.items()})
        return self

    def imu(self, accel_std=0.05, gyro_std=0.002, **values):
        """Accelerations [m/s^2] and rates [rad/s] with noise; further keys as in docs/ROADS_AND_SENSORS.md."""
        return self._add("imu", accel_std=accel_std, gyro_std=gyro_std, **values)

    def gnss(self, pos_std=0.3, vel_std=0.05, **values):
        """Position [m] and velocity [m/s] with noise."""
        return self._add("gnss", pos_std=pos_std, vel_std=vel_std, **values)

    def wheel_speed(self, std=0.05, **values):
        """Wheel speeds [rad/s] with noise."""
        return self._add("wheel_speed", std=std, **values)

    def steer(self, std=0.001, **values):
        """Road-wheel angle [rad] with noise."""
        return self._add("steer", std=std, **values)


class Maneuver:
    """What the driver does: Maneuver.step_steer(v=20, steer=0.03), or Maneuver(f) with your own f(t, state) -> input.

    f returns a CmdL1..CmdL8, a dict such as {"steer": 0.1, "speed": 15}, or (steer, throttle, brake).
    Keywords are the driver's keys of a scene: Maneuver(speed=20, steer=[[1, 0], [1.1, 0.03]]).
    """

    def __init__(self, function=None, *, v0=0.0, duration=None, **driver):
        if function is not None and not callable(function):
            raise TypeError("expected a function f(t, state), or keywords of a driver")
        if function is not None and driver:
            raise TypeError("a function or keywords of a driver, not both")
        self.function, self.v0, self.duration, self.driver = function, v0, duration, driver

    @classmethod
    def constant_speed(cls, v=20.0):
        """Straight on at v [m/s]."""
        return cls(v0=v, speed=v)

    @classmethod
    def accel(cls, throttle=1.0, v=0.0):
        """Throttle from v [m/s]."""
        return cls(v0=v, throttle=throttle)

    @classmethod
    def brake(cls, brake=0.8, v=25.0):
        """Brake from v [m/s]."""
        return cls(v0=v, brake=brake)

    @classmethod
    def step_steer(cls, v=20.0, steer=0.03, t0=2.0):
        """Road wheels to `steer` [rad] in 0.1 s at t0, at a held speed v [m/s]."""
        return cls(v0=v, speed=v, steer=[[t0, 0.0], [t0 + 0.1, steer]])

    @classmethod
    def path(cls, waypoints, v=15.0, lookahead=8.0, closed=False):
        """Along way points [[x, y], ..] at v [m/s]."""
        points = np.asarray(waypoints, float)
        if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
            raise bad_value("waypoints", "expected two or more points [[x, y], ..]")
        return cls(v0=v, speed=v, path=points.tolist(), lookahead=lookahead, path_closed=bool(closed))


def scene_text(*, vehicle, level, road, start, driver, dt, rate, duration, scene_id="python", integrator="rk4"):
    """A scene of one car, as the command line would read it."""
    lines = [f"id: {scene_id}", f"duration: {quoted(float(duration))}", f"rate: {quoted(float(rate))}"]
    lines += road._text.splitlines()
    lines += [f"solver: {{integrator: {integrator}, dt: {quoted(float(dt))}}}", "fleet:", "  - id: ego", f"    level: {level}"]
    lines += [f"    {key}: {quoted(float(value))}" for key, value in start.items() if value]
    if driver:
        lines.append(f"    driver: {quoted(driver)}")
    lines.append("    overrides:")
    lines += ["    " + line for line in vehicle._overrides().splitlines()]
    return "\n".join(lines) + "\n"


def car_with(vehicle, tire=None, sensors=None):
    """A copy of the vehicle with these tires and sensors."""
    car = vehicle_of("sedan" if vehicle is None else vehicle).copy()
    if tire is not None:
        car.tire = tire_of(tire)
    if sensors is not None:
        car.set(sensors.values if isinstance(sensors, Sensors) else {"sensors.enabled": bool(sensors)})
    return car


class Experiment:
    """A scene, put together: Experiment("L2").vehicle("sedan").road(Road.flat(0.8)).maneuver(Maneuver.brake()).run(6)."""

    def __init__(self, level="L2", dt=0.005, substep=1e-3, integrator="rk4"):
        self._level, self._dt = level_of(level), need_time("dt", dt)
        self._substep = min(need_time("substep", substep), self._dt)
        self._integrator = need_choice("integrator", integrator, ("rk4", "implicit", "euler"))
        self._vehicle, self._tire, self._road, self._sensors = "sedan", None, Road.flat(), None
        self._maneuver, self._scene, self._trace = Maneuver.constant_speed(), None, None

    @classmethod
    def from_config(cls, name):
        """A scene of the catalog, or a file."""
        out = cls()
        out._scene = Scene(name)
        return out

    def vehicle(self, vehicle="sedan"):
        """Which car: a Vehicle, an id, a preset's name, a file."""
        self._vehicle = vehicle_of(vehicle)
        return self._changed("vehicle")

    def tire(self, tire="default_pacejka"):
        """Which tires: a Tire, an id, a preset's name, a file."""
        self._tire = tire_of(tire)
        return self._changed("tire")

    def road(self, road=None):
        """Which road: a Road, a friction, a preset's name."""
        self._road = road_of(road)
        return self._changed("road")

    def maneuver(self, maneuver):
        """What the driver does: a Maneuver, or a function f(t, state)."""
        self._maneuver = maneuver if isinstance(maneuver, Maneuver) else Maneuver(maneuver)
        return self._changed("maneuver")

    def sensors(self, sensors):
        """Which sensors."""
        self._sensors = sensors
        return self._changed("sensors")

    def kinematics(self, front=None, rear=None):
        """Tables of suspension kinematics are not there yet."""
        raise not_there_yet("kinematics", "set chassis.camber_per_roll, camber_per_travel, roll_center_front, .. of the vehicle")

    def _changed(self, what):
        if self._scene is not None:
            if what == "vehicle":
                self._scene.put(vehicle=self._vehicle)
            elif what == "tire":
                self._scene.put(tire=self._tire)
            else:
                raise bad_value(what, "an experiment from a scene has its own: change the scene, Scene(name).set(..)")
        return self

    def enable_trace(self, path="trace.csv"):
        """Write the rows of the next run to this file."""
        self._trace = os.fspath(path)
        return self

    def finalize_trace(self):
        """The file that was written; no more are."""
        path, self._trace = self._trace, None
        return path

    def scene(self, duration=10.0):
        """The whole as a Scene."""
        if self._scene is not None:
            scene = self._scene.copy()
            return scene.set(duration=duration) if duration is not None else scene
        m = self._maneuver
        car = car_with(self._vehicle, self._tire, self._sensors)
        text = scene_text(vehicle=car, level=self._level, road=self._road, start={"vx0": m.v0}, driver=m.driver,
                          dt=self._substep, rate=1 / self._dt, duration=10.0 if duration is None else duration,
                          integrator=self._integrator)
        return Scene(composed_document("scene", text))

    def run(self, T=None, out=None):
        """Run it for T seconds; a Result."""
        T = self._maneuver.duration if T is None else T
        result = self._run(T, out)
        if self._trace:
            result.to_csv(self._trace)
        return result

    def _run(self, T, out):
        scene = self.scene(T)
        if self._scene is not None or self._maneuver.function is None:
            return scene.run(out=out)
        from ._sim import Sim

        sim = Sim._of_scene(scene, dt=self._dt)
        end = scene.duration
        while sim.time < end - 1e-9:
            cmd = self._maneuver.function(sim.time, sim.state())
            if cmd is None:
                raise TypeError(f"the driver's function gave None at t = {sim.time:g} s: return a command, a dict or numbers")
            sim.set_input(cmd)
            sim.run_core_dt()
        return sim.result


def attach_front_kinematics_from_yaml(*_):
    """Refused, with the way out."""
    Experiment().kinematics()


attach_rear_kinematics_from_yaml = attach_front_kinematics_from_yaml

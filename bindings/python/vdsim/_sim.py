# SPDX-License-Identifier: Apache-2.0
"""A car in your hands, step by step."""
import math
import numbers
import warnings

import numpy as np

from . import _vdsim
from ._core import composed_document, level_of, need_time
from ._errors import InputError, VDSimWarning, bad_value, not_there_yet
from ._result import Result, Signals
from ._scenes import car_with, road_of, scene_text
from ._specs import Scene, Vehicle, vehicle_of

_NAN = math.nan
_NO_TORQUE = (0.0, 0.0, 0.0, 0.0)
_INPUTS = ("steer", "throttle", "brake", "handbrake", "gear", "torque", "speed", "acceleration", "force", "curvature",
           "follow_path")


def _periods(dt, substep):
    n = round(dt / substep)
    if n < 1 or abs(n * substep - dt) > 1e-9 * dt:
        raise bad_value("dt", f"{dt:g} s is no multiple of the substep, {substep:g} s")
    return n


class _Base(_vdsim.Hand):
    """What Sim and Simulation share."""

    def __init__(self, scene, car, dt, record):
        n = _periods(dt, scene.solver.dt)
        super().__init__(scene._doc, car or "", n if record else 0)
        self._scene, self._car, self._n, self.dt, self._record = scene, car, n, dt, record
        self._index = {name: i for i, name in enumerate(self.names)}
        self._extra = {}
        if _vdsim.is_doubtful_step(scene._doc):
            warnings.warn(f"{scene.solver.integrator} at {self.substep:g} s: a run is held against a finer one, a Sim is not; do so yourself",
                          VDSimWarning, stacklevel=3)

    def state(self):
        """Every signal now: s.vx, s["fz_fl"], s.yaw."""
        return Signals(self._index, self.values())

    def measurements(self, sensor=None):
        """What the sensors read now: all, or those of imu, gnss, wheel_speed, steer."""
        of = {"imu": ("m_a", "m_g", "m_imu"), "gnss": ("m_gnss",), "wheel_speed": ("m_omega",), "steer": ("m_steer",)}
        if sensor is not None and sensor not in of:
            raise bad_value("sensor", f"no '{sensor}'" + _vdsim.suggestion(str(sensor), list(of)))
        starts = of.get(sensor, ("m_",))
        wanted = [n for n in self.names if n.startswith(starts) and not (sensor == "imu" and n.startswith("m_gnss"))]
        if not wanted:
            raise bad_value("sensors", "this car has none of them: Sim(.., sensors=Sensors().imu())")
        now = self.values()
        return {n: float(now[self._index[n]]) for n in wanted}

    @property
    def result(self):
        """The rows so far, one per dt, as a Result."""
        out = Result(self._rows, notes=[("vdsim", _vdsim.__version__), ("scene", self._scene.id)])
        out.extra = {k: np.array(v) for k, v in self._extra.items()}
        return out

    @property
    def metrics(self):
        """Metrics of the rows so far."""
        return self.result.metrics

    @property
    def scene(self):
        """The scene it was made of."""
        return self._scene.copy()

    def log_extra(self, **values):
        """Keep numbers of your own, as columns of the result: sim.log_extra(u=0.3)."""
        for name, value in values.items():
            self._extra.setdefault(name, []).append(float(value))

    def to_csv(self, path, digits=9):
        """The rows so far as a file."""
        return self.result.to_csv(path, digits)

    def plot(self, *signals, path=None):
        """The rows so far as a drawing."""
        return self.result.plot(*signals, path=path)

    def reset(self, x=None, y=None, yaw=None, vx=None, z=None, vy=0.0, r=0.0):
        """Back to the start of the scene; what is given is another place, heading or speed than there.

        vy [m/s, left] and r [rad/s]: it slides and turns from the start, every wheel rolling as its hub goes.
        """
        pose = (x, y, yaw, vx, z)
        if all(v is None for v in pose) and not (vy or r):
            self._reset()
        else:
            at = f"{self._car}." if self._car and len(self._scene.cars) > 1 else ""
            usual = (self._scene._doc.get(at + name) for name in ("x0", "y0", "yaw0", "vx0", "z0"))
            self._reset_to([u if v is None else v for v, u in zip(pose, usual)], vy, r)
        self._extra = {}

    def change(self, to):
        """While driving: another car (Vehicle), or a whole Scene; motion and tire forces go on."""
        self._change(to._doc if isinstance(to, (Scene, Vehicle)) else vehicle_of(to)._doc)
        if isinstance(to, Scene):
            self._scene = to.copy()
        else:
            self._scene = self._scene.copy().put(vehicle=to)
        self._index = {name: i for i, name in enumerate(self.names)}

    def linearize(self):
        """(A, B, names): exact derivatives of the rates of the car's states now, y' = f(y, u). A by the states, B by steer,
        throttle, brake and handbrake; names of the states, as `wheel[1].zy`. InputError names what in the car has none."""
        A, B, _, _, names, _, _ = self._linearize()
        return A, B, names

    def state_space(self):
        """Dict of A, B, C, D with names of `states`, `inputs` and `outputs`, the signals: z = g(y, u) as well."""
        return dict(zip(("A", "B", "C", "D", "states", "inputs", "outputs"), self._linearize()))

    def run_core_dt(self, dt=None):
        """Advance by one control period, or by dt [s], with the input held."""
        if dt is None:
            self.advance(self._n)
            return
        dt = need_time("dt", dt)
        h = self.substep
        n = int(math.floor(dt / h * (1 + 1e-12) + 1e-9))
        self.advance(n)
        if dt - n * h > 1e-9 * h:
            self._part(dt - n * h)

    def set_input(self, cmd=None, throttle=None, brake=None, gear=None, *, steer=None, handbrake=None, torque=None,
                  speed=None, acceleration=None, force=None, curvature=None, follow_path=False):
        """What the driver does from now on: the whole input, what is not named is 0 (gear 1).

        By position steer, throttle, brake, gear; or a CmdL1 .. CmdL8, a dict, (steer, throttle, brake); or by name:
        pedals, or torque (4 wheels, N m), force [N], acceleration [m/s^2], speed [m/s]; steer [rad], or curvature [1/m],
        or follow_path.
        """
        if cmd is not None:
            if isinstance(cmd, numbers.Real):
                steer = cmd if steer is None else steer
            else:
                named = _input_of(cmd)
                if any(v is not None for v in (throttle, brake, gear, steer, handbrake, torque, speed, acceleration, force,
                                               curvature)):
                    raise TypeError("give a command, or single inputs, not both")
                return self.set_input(**named)
        if gear is not None and int(gear) != gear:
            raise bad_value("gear", f"expected a whole number, found {gear!r}")
        levels = (_NAN if speed is None else speed, _NAN if acceleration is None else acceleration,
                  _NAN if force is None else force, _NAN if curvature is None else curvature)
        for name, value in zip(("speed", "acceleration", "force", "curvature"), (speed, acceleration, force, curvature)):
            if value is not None and not math.isfinite(value):
                raise bad_value(name, f"expected a finite number, found {value!r}")
        try:
            self._input(steer or 0.0, throttle or 0.0, brake or 0.0, handbrake or 0.0, 1 if gear is None else int(gear),
                        _NO_TORQUE if torque is None else torque, levels, bool(follow_path), torque is not None)
        except TypeError:
            raise TypeError("inputs are numbers; torque is four of them, one per wheel") from None
        return None

    def done(self, T=None):
        """Whether T [s], or the duration of the scene, is reached."""
        return self.time >= (self._scene.duration if T is None else T) - 1e-9

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def copy(self):
        """Another one in the same state; its rows begin here."""
        return _sim_again(*self.__reduce__()[1])

    def __reduce__(self):
        held = self._held if self._mine else None
        return _sim_again, (type(self), _vdsim.__version__, self._scene, self._car, self.dt, self._record, held,
                            self.snapshot())

    def __repr__(self):
        return f"<{type(self).__name__} {self._scene.id} at t = {self.time:g} s>"

    def _repr_html_(self):
        return self.result._repr_html_()


def _sim_again(cls, version, scene, car, dt, record, held, snapshot):
    if version != _vdsim.__version__:
        raise InputError(f"pickled by VDSim {version}, this is {_vdsim.__version__}")
    out = cls.__new__(cls)
    _Base.__init__(out, scene, car, dt, record)
    out.restore(snapshot)
    if held is not None:
        levels = [held[k] for k in ("speed", "acceleration", "force", "curvature")]
        out._input(held["steer"], held["throttle"], held["brake"], held["handbrake"], held["gear"], held["torque"], levels,
                   held["follow_path"], held["wheel_torques"])
    return out


def _input_of(cmd):
    if hasattr(cmd, "input"):
        return cmd.input()
    if isinstance(cmd, dict):
        for name in cmd:
            if name not in _INPUTS:
                raise bad_value(str(name), "no such input" + _vdsim.suggestion(str(name), list(_INPUTS)))
        return cmd
    if isinstance(cmd, str):
        raise TypeError(f"expected a command, a dict or (steer, throttle, brake), found {cmd!r}")
    values = [float(v) for v in cmd]
    if len(values) > 4:
        raise bad_value("input", f"expected (steer, throttle, brake, gear), found {len(values)} numbers")
    return dict(zip(("steer", "throttle", "brake", "gear"), values))


class Sim(_Base):
    """A car, a road, and you: set_input(..), then run_core_dt() advances by dt, in engine steps of `substep`."""

    def __init__(self, vehicle="sedan", tire=None, level="L2", road=None, sensors=None, dt=0.005, x0=0.0, y0=0.0, yaw0=0.0,
                 v0=0.0, sensor_mounts=None, ref_point=None, kinematics=None, *, substep=1e-3, integrator="rk4", z0=0.0,
                 record=True):
        if kinematics is not None:
            raise not_there_yet("kinematics", "set chassis.camber_per_roll, camber_per_travel, .. of the vehicle")
        if ref_point not in (None, "cg"):
            raise not_there_yet("ref_point", "signals are those of the centre of gravity")
        car = car_with(vehicle, tire, sensors)
        for sensor, mount in (sensor_mounts or {}).items():
            car.set(f"sensors.{sensor}.mount", [float(v) for v in mount])
        dt = need_time("dt", dt)
        substep = min(need_time("substep", substep), dt)
        text = scene_text(vehicle=car, level=level_of(level), road=road_of(road), driver={}, dt=substep, rate=1 / dt,
                          start={"x0": x0, "y0": y0, "yaw0": yaw0, "vx0": v0, "z0": z0}, duration=1e6,
                          integrator=integrator)
        _Base.__init__(self, Scene(composed_document("scene", text)), None, dt, record)
        self.set_input()

    @classmethod
    def _of_scene(cls, scene, dt):
        out = cls.__new__(cls)
        _Base.__init__(out, scene, None, float(dt), True)
        out.set_input()
        return out

    def done(self, T=None):
        """Whether T [s] is reached."""
        if T is None:
            raise TypeError("a Sim has no end of its own: done(T)")
        return super().done(T)


class Simulation(_Base):
    """One car of a scene, by the scene's driver until you set_control."""

    def __init__(self, scene, car=None, dt=None, *, record=True):
        scene = scene.copy() if isinstance(scene, Scene) else Scene(scene)
        if car is None and len(scene.cars) > 1:
            raise bad_value("car", "the scene has several, name one of " + ", ".join(scene.cars))
        h = scene.solver.dt
        if dt is None:
            dt = max(1, round(1 / (scene.rate * h))) * h
        _Base.__init__(self, scene, car, float(dt), record)

    def set_control(self, cmd=None, *args, **named):
        """Drive yourself: as set_input of a Sim; set_control(None) gives the car back to the scene's driver."""
        if cmd is None and not args and not named:
            self._leave()
        else:
            self.set_input(cmd, *args, **named)

    def step(self, n=1):
        """Advance by n control periods."""
        self.advance(n * self._n)

    def get_data(self, name):
        """One signal now."""
        return self.state()[name]

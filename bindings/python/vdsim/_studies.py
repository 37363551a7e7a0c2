# SPDX-License-Identifier: Apache-2.0
"""Whole runs: scenes, manoeuvres, handling, validation."""
import json
import os
import tempfile
import warnings

from . import _vdsim
from ._core import catalog_object, document, level_of, need_choice, need_name, text_of
from ._errors import InputError, NumbersFailed, VDSimWarning, bad_value
from ._result import Result
from ._specs import Scene, Tire, Vehicle, tire_of, vehicle_of


def _warn(lines):
    for line in lines:
        warnings.warn(line, VDSimWarning, stacklevel=4)


def load(name):
    """Anything of the catalog, or a file: a Tire, Vehicle or Scene; of other parts their document."""
    name = need_name("part, vehicle or scene", name)
    ids = catalog_object().ids
    if name.lower().endswith(".tir"):
        return Tire.from_tir(name)
    if name in ids["scene"]:
        return Scene(name)
    if name in ids["vehicle"]:
        return Vehicle(document("vehicle", name))
    if name in ids["part"]:
        return _part(document("part", name))
    if not name.endswith((".yaml", ".yml")) and os.sep not in name:
        known = ids["scene"] + ids["vehicle"] + ids["part"]
        more = "; manoeuvres run by maneuver()" if name in ids["maneuver"] else _vdsim.suggestion(name, known)
        raise bad_value("load", f"no '{name}' in the catalog{more}")
    if not os.path.isfile(name):
        raise bad_value("load", f"no such file: {name}")
    with open(name, encoding="utf-8", errors="replace") as file:
        keys = {line.split(":")[0] for line in file if line[:1].isalpha()}
    if "fleet" in keys:
        return Scene(name)
    if "body" in keys or "type" in keys:
        return _part(document("part", name))
    return Vehicle(document("vehicle", name))


def _part(doc):
    if doc.type == "tire":
        return Tire(doc)
    from ._fields import Spec

    cls = type(doc.type.capitalize() + "Part", (Spec,), {"_kind": "part", "_under": doc.type + ".", "__slots__": ()})
    return cls(doc)


def _changes(set):
    if not isinstance(set, (dict, type(None))):
        raise TypeError(f'set: expected a dict such as {{"mu": 0.5}}, found {type(set).__name__}')
    return dict(set or {})


def run(scene, *, vehicle=None, tire=None, level=None, set=None, duration=None, out=None, digits=9, format="csv"):
    """Run a scene (a Scene, an id, a file), changed as asked; a Result with the rows of `vdsim run`.

    `out`: a folder for run.csv (or run.h5), summary.json, resolved.yaml, report.html.
    """
    scene = scene.copy() if isinstance(scene, Scene) else Scene(scene)
    need_choice("format", format, ("csv", "hdf5"))
    scene.put(vehicle, tire)
    changes = _changes(set)
    if level is not None:
        changes["level"] = level_of(level)
    if duration is not None:
        changes["duration"] = duration
    if changes:
        scene.set(changes)
    rows, summary, told, failed = _vdsim.run(scene._doc, "" if out is None else os.fspath(out), format, digits)
    summary = json.loads(summary)
    notes = [("vdsim", _vdsim.__version__), ("scene", scene.id), ("config", summary["config"])]
    cars = {car["id"]: Result(r, car, notes[:2] + [("car", car["id"])] + notes[2:])
            for car, r in zip(summary["cars"], rows)}
    result = next(iter(cars.values()))
    result.cars.update(cars)
    _warn(scene._doc.notes + told)
    if failed:
        error = NumbersFailed(f"car {failed[0]}: {failed[2]}", failed[1], failed[3])
        error.result = cars[failed[0]]
        raise error
    return result


class Metrics(dict):
    """Metrics by name; one that this run does not have raises, it is never NaN."""

    def __missing__(self, name):
        raise bad_value(str(name), "no such metric" + _vdsim.suggestion(str(name), list(self)))

    def __getitem__(self, name):
        value = super().__getitem__(name)
        if value is None:
            raise bad_value(str(name), "does not exist for this run")
        return value


class Study:
    """A manoeuvre that was run: metrics, passed, hits, recording; runs of a series or a search; found."""

    def __init__(self, summary, runs, main):
        self.summary = summary
        self.metrics = Metrics((m["name"], m["value"]) for m in summary["metrics"])
        self.passed = summary["verdict"] in ("pass", "done")
        self.verdict = summary["verdict"]
        self.hits = summary.get("hits", [])
        self.runs = [StudyRun(*r) for r in runs]
        self.recording = self.runs[main].recording
        self.found = summary.get("found", {}).get("value")  # by a search: the largest that passes, None if none does

    def plot(self, *signals, path=None):
        """Signals of the run that stands for all."""
        return self.recording.plot(*signals, path=path)

    def __repr__(self):
        lines = [f"{self.summary['id']}: {self.verdict}"]
        return "\n".join(lines + [f"  {k} = {v!r}" for k, v in self.metrics.items()])


class StudyRun:
    """One run of a study: name, value of the parameter, recording, passed."""

    def __init__(self, name, value, rows, passed):
        self.name, self.value, self.recording, self.passed = name, value, Result(rows), passed

    def __repr__(self):
        return f"<StudyRun {self.name}, {'passed' if self.passed else 'failed'}>"


def maneuver(name, vehicle="sedan", level=None, *, tire=None, surface=None, set=None, find_max_speed=False):
    """Run a standard manoeuvre; a Study. catalog("maneuver") lists them; `set`: its parameters, or values of scene and car."""
    with tempfile.TemporaryDirectory() as folder:
        def file(spec, name):
            if isinstance(spec, str):
                return spec
            path = os.path.join(folder, name)
            spec.to_yaml(path)
            return path

        car = file(vehicle if isinstance(vehicle, Vehicle) else vehicle_of(vehicle), "vehicle.yaml")
        tires = "" if tire is None else file(tire_of(tire), "tire.yaml")
        sets = [f"{k}={text_of(v)}" for k, v in _changes(set).items()]
        arguments = [car, tires, surface or "", "" if level is None else level_of(level)]
        summary, runs, main, told = _vdsim.maneuver(catalog_object(), os.fspath(name), arguments, sets, bool(find_max_speed))
    _warn(told)
    return Study(json.loads(summary), runs, main)


def handling(vehicle="sedan", *, tire=None, level="L2", mu=1.0, speed=25.0, radius=100.0, ay=4.0, set=None):
    """The handling of a car from its equations: a dict as `vdsim handling --json` prints it."""
    level = level_of(level)
    if level not in ("L1", "L2"):
        raise bad_value("level", f"{level}: the handling analysis solves steady turns of the planar cars L1 and L2")
    low_high = {"speed": (speed, 4, 120), "radius": (radius, 5, 5000), "ay": (ay, 0.1, 50), "mu": (mu, 0.01, 5)}
    errors = [("", 0, 0, k, f"{v!r} is out of range, expected {lo} to {hi}") for k, (v, lo, hi) in low_high.items()
              if not lo <= v <= hi]
    if errors:
        raise InputError([f"{e[3]}: {e[4]}" for e in errors], errors)
    car = vehicle_of(vehicle).copy()
    if tire is not None:
        car.tire = tire_of(tire)
    car.set(_changes(set))
    options = {"speed": float(speed), "radius": float(radius), "ay": float(ay)}
    name = tire if isinstance(tire, str) else ""
    return json.loads(_vdsim.handling(car._doc, name, 1 if level == "L1" else 2, float(mu), options))


def validate(match=None):
    """Cases of docs/VALIDATION.md whose id contains `match` (or all): a list of dicts with measured, expected, pass."""
    ids = [i for i in _vdsim.validation_ids(catalog_object()) if match is None or match in i]
    if not ids:
        raise bad_value("match", f"no case has '{match}' in its id"
                        + _vdsim.suggestion(str(match), _vdsim.validation_ids(catalog_object())))
    return json.loads(_vdsim.validation(catalog_object(), ids))

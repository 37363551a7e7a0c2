# SPDX-License-Identifier: Apache-2.0
"""Tire, Vehicle, Scene: the documents of VDSim, with a property per field."""
import importlib.util
import os

import numpy as np

from . import _vdsim
from ._core import catalog, document, need_choice, need_name, read_document
from ._errors import bad_value
from ._fields import Block
from ._result import Drawing
from ._tables import SceneFields, TireFields, TireLugre, VehicleFields

# cars of VDSim 0.7 by their short names
_VEHICLES = {"sedan": "vehicle.sedan_comfort", "sports": "vehicle.sports_aggressive", "race_car": "vehicle.race_gt",
             "fsk_formula": "vehicle.fsk_formula"}


def _preset(kind, prefix, name, short=None):
    name = need_name(kind, name)
    name = (short or {}).get(name, name)
    ids = catalog(kind)
    full = name if name in ids or "." in str(name) or os.sep in str(name) else prefix + str(name)
    if full not in ids:
        known = [i[len(prefix):] for i in ids if i.startswith(prefix)] + list(short or {})
        raise bad_value("preset", f"no '{name}'" + _vdsim.suggestion(str(name), known))
    return full


class Lugre(TireLugre):
    """Bristle friction: tire.lugre.sigma0 = 2e5, and as a call tire.lugre(True, sigma0=2e5), which returns the tire."""

    __slots__ = ()

    def __call__(self, enabled=True, **named):
        """On or off, and values of the block; returns the tire."""
        return self._spec.set({"tire.lugre.enabled": bool(enabled), **{f"tire.lugre.{k}": v for k, v in named.items()}})


class Tire(TireFields):
    """A tire: Tire.preset("sport_grip"), Tire.from_yaml(path), Tire.from_tir(path)."""

    __slots__ = ()
    _kind = "part"
    _under = "tire."

    def __init__(self, doc=None):
        if doc is None or isinstance(doc, str):
            doc = document("part", _preset("tire", "tire.", doc or "default_pacejka"))
        super().__init__(doc)
        if doc.type != "tire":
            raise bad_value("tire", f"{doc.id} is a {doc.type}, no tire")

    @classmethod
    def preset(cls, name="default_pacejka"):
        """A tire of the catalog: catalog("tire") lists them."""
        return cls(document("part", _preset("tire", "tire.", name)))

    @classmethod
    def from_tir(cls, path):
        """From an MF-Tyre property file."""
        path = os.fspath(path)
        if not path.lower().endswith(".tir"):
            raise bad_value("path", f"{path}: expected a name that ends in .tir")
        return cls(document("part", os.path.abspath(path)))

    @property
    def lugre(self):
        """Bristle friction, a block; also lugre(False), lugre(True, sigma0=2e5)."""
        return Lugre(self, "tire.lugre.")

    @lugre.setter
    def lugre(self, values):
        self._set_block("tire.lugre", values)

    def eval(self, fz, kappa=0, alpha=0, gamma=0, vx=None, pressure=None, mu=1, use_mode=211):
        """Steady forces and moments: a dict of arrays fx, fy, mx, my, mz, .. of the shape of the arguments together.

        SI, rad, ISO 8855 wheel frame: fz [N], kappa -1 locked, alpha and gamma [rad], vx [m/s], pressure [Pa].
        """
        given = {"fz": fz, "kappa": kappa, "alpha": alpha, "gamma": gamma, "mu": mu}
        given.update({k: v for k, v in (("vx", vx), ("pressure", pressure)) if v is not None})
        try:
            arrays = np.broadcast_arrays(*(np.asarray(v, float) for v in given.values()))
        except ValueError as e:
            raise bad_value("eval", f"the arguments do not fit together: {e}") from None
        shape = arrays[0].shape
        if arrays[0].size == 0:
            raise bad_value("eval", "no points")
        lines = [",".join(given)]
        lines += [",".join(map(repr, row)) for row in zip(*(a.ravel().tolist() for a in arrays))]
        forces = _vdsim.tire_eval(self._doc, "\n".join(lines) + "\n", use_mode)
        return {k: v.reshape(shape) if shape else float(v[0]) for k, v in forces.items()}

    def plot(self, *others, path=None, fz=(), mu=1.0, speed=20.0):
        """Slip curves, aligning moment, combined envelope, step response; of several tires in one drawing."""
        tires = [(t.id, t._doc) for t in (self, *others)]
        drawing = Drawing(_vdsim.tire_figure(tires, [float(f) for f in fz], mu, speed))
        if path is not None:
            drawing.save(path)
        return drawing

    @classmethod
    def fit(cls, data, model="mf96", start=None, out=None, starts=6, seed=1, threads=0):
        """A tire fitted to steady points: dict of arrays fz, kappa, alpha, fx, fy[, mz ..], or files (.csv, .tdx).

        Returns a Fit: .tire, .summary, .plot. `out`: where to write the part; model mf61 needs it.
        """
        from ._fit import fit as run_fit

        files, csv = [], ""
        if isinstance(data, dict):
            columns = np.broadcast_arrays(*(np.asarray(v, float).ravel() for v in data.values()))
            csv = "\n".join([",".join(data)] + [",".join(map(repr, r)) for r in zip(*(c.tolist() for c in columns))]) + "\n"
        else:
            files = [os.fspath(f) for f in ([data] if isinstance(data, (str, os.PathLike)) else data)]
        if model == "mf61" and out is None:
            raise bad_value("out", "model mf61 writes a .tir beside the part: name one")
        target = os.fspath(out) if out is not None else "fitted.yaml"
        part, tir, summary, svg = run_fit(model, files, csv, start._doc if start is not None else None, target,
                                          [int(starts), int(seed), int(threads)])
        if out is not None:
            if tir:
                with open(os.path.splitext(target)[0] + ".tir", "w", encoding="utf-8") as file:
                    file.write(tir)
            with open(target, "w", encoding="utf-8") as file:
                file.write(part)
        return Fit(cls(read_document("part", part, os.path.dirname(os.path.abspath(target)))), summary, Drawing(svg))

    def _body(self):
        """Its fields as the text of a block `tire:` of a car."""
        head, _, body = self._doc.text().partition("\nbody:")
        schema = [line for line in head.splitlines() if line.startswith("schema:")]
        lines = body.splitlines()[1:]
        block = [line[2:] for line in lines]
        if schema and not any(line.startswith("schema:") for line in block):
            block = schema + block
        return "\n".join(block) + "\n"


class Fit:
    """A fitted tire, what the fit says of itself, and its picture."""

    def __init__(self, tire, summary, plot):
        self.tire, self.summary, self.plot = tire, summary, plot

    def __repr__(self):
        return self.summary


class Vehicle(VehicleFields):
    """A car: Vehicle.preset("sedan"), Vehicle.from_yaml(path); car.chassis.mass = 1600, car.tire.lugre.sigma0 (all four)."""

    __slots__ = ()
    _kind = "vehicle"

    def __init__(self, doc=None):
        if doc is None or isinstance(doc, str):
            doc = document("vehicle", _preset("vehicle", "vehicle.", doc or "sedan", _VEHICLES))
        super().__init__(doc)

    @classmethod
    def preset(cls, name="sedan"):
        """A car of the catalog: catalog("vehicle"), or sedan, sports, race_car, fsk_formula."""
        return cls(document("vehicle", _preset("vehicle", "vehicle.", name, _VEHICLES)))

    def _set_block(self, path, value):
        if isinstance(value, str):
            value = tire_of(value) if path.startswith("tire") else value
        if isinstance(value, Tire) and path in ("tire", *(s for s in _vdsim.slot_names() if s.startswith("tire_"))):
            self._doc.set([(path, value._body())])
        elif isinstance(value, Block):
            raise TypeError(f"{path}: give it a Tire or a dict")
        else:
            super()._set_block(path, value)

    def tire_at(self, wheel="fl"):
        """A copy of the tire of one wheel: fl, fr, rl, rr."""
        slots = (f"tire_{wheel}", "tire_front" if wheel in ("fl", "fr") else "tire_rear", "tire")
        if wheel not in ("fl", "fr", "rl", "rr"):
            raise bad_value("wheel", f"no '{wheel}': expected fl, fr, rl or rr")
        blocks = _blocks_of(self._overrides())
        body = next(blocks[slot] for slot in slots if slot in blocks)
        schema = [line.split(":")[1].strip() for line in body if line.startswith("    schema:")]
        head = f"id: {self.id}.tire\ntype: tire\nversion: 1\nschema: {schema[0] if schema else 'pacejka_mf96_v1'}\nbody:\n"
        rest = [line[2:] for line in body if not line.startswith("    schema:")]
        return Tire(read_document("part", head + "\n".join(rest) + "\n"))

    def _overrides(self):
        return self._doc.text().partition("\noverrides:\n")[2]


def _blocks_of(overrides):
    """The lines of each block, by its name."""
    out, lines = {}, []
    for line in overrides.splitlines():
        if line[:2] == "  " and line[2:3].isalpha():
            lines = out.setdefault(line.strip().rstrip(":"), [])
        else:
            lines.append(line)
    return out


def tire_of(tire):
    """A Tire from a Tire, an id, a preset's name or a file."""
    if isinstance(tire, Tire):
        return tire
    name = need_name("tire", tire)
    if name.lower().endswith(".tir"):
        return Tire.from_tir(name)
    return Tire.from_yaml(name) if name.endswith((".yaml", ".yml")) else Tire.preset(name)


def vehicle_of(vehicle):
    """A Vehicle from a Vehicle, an id, a preset's name or a file."""
    if isinstance(vehicle, Vehicle):
        return vehicle
    name = need_name("vehicle", vehicle)
    return Vehicle.from_yaml(name) if name.endswith((".yaml", ".yml")) else Vehicle.preset(name)


class Scene(SceneFields):
    """A scene: Scene("step_steer"), Scene(path), with changes: Scene("step_steer", set={"mu": 0.5})."""

    __slots__ = ()
    _kind = "scene"

    def __init__(self, name, set=None):
        super().__init__(document("scene", name) if isinstance(name, (str, os.PathLike)) else name)
        if set:
            self.set(set)

    @property
    def cars(self):
        """Ids of its cars."""
        return self._doc.cars

    @property
    def road(self):
        """Its road, as a Road."""
        from ._scenes import Road

        return Road._of(self)

    def put(self, vehicle=None, tire=None):
        """Another car, or other tires, in a scene of one car; the driver and the start stay. Returns the scene."""
        if vehicle is not None:
            if len(self.cars) != 1:
                raise bad_value("vehicle", "the scene has several cars: " + ", ".join(self.cars))
            car = vehicle_of(vehicle)
            head = self._doc.text().partition("\n    overrides:\n")[0]
            body = "".join(f"    {line}\n" for line in car._overrides().splitlines())
            self._doc = read_document("scene", head + "\n    overrides:\n" + body)
        if tire is not None:
            self._doc.set([("tire", tire_of(tire)._body())])
        return self

    def run(self, duration=None, out=None, digits=9):
        """Run it; a Result."""
        from ._studies import run

        return run(self, duration=duration, out=out, digits=digits)

    def sim(self, car=None):
        """A Simulation of one of its cars."""
        from ._sim import Simulation

        return Simulation(self, car=car)

    def to_fmu(self, path, fmi=2, kind="both", *, car=None, control=None, command_level=4, parameters="*", platforms=()):
        """Write a car of the scene as an FMU, as `vdsim fmu export` does (docs/FMI.md); its notes, a line each.

        kind: cs, me, or both where model exchange is possible; control: internal (the scene's driver), external (the inputs).
        """
        if importlib.util.find_spec("vdsim._fmu") is None:
            raise NotImplementedError("VDSim was built without libzip and pugixml (packages.txt, fmu): install them and build again")
        from ._fmu import export_scene

        fmi = int(need_choice("fmi", str(fmi), ("2", "3")))
        need_choice("kind", kind, ("cs", "me", "both"))
        if control is not None:
            need_choice("control", control, ("internal", "external"))
        how = {"libraries": os.path.join(os.path.dirname(__file__), "fmu"), "fmi": fmi, "kind": kind, "car": car or "",
               "control": control or "", "command_level": int(command_level), "parameters": parameters,
               "platforms": [platforms] if isinstance(platforms, str) else list(platforms)}
        return export_scene(self._doc, os.fspath(path), how)


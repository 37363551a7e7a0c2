# SPDX-License-Identifier: Apache-2.0
"""The classes that carry the fields, made from the engine's tables when the package is imported; _tables.pyi lists them."""
from . import _vdsim
from ._core import read_document
from ._fields import TIRES, Field, Spec, class_of, tree_of


def _tire_tree():
    """The fields of every schema of a tire, each once."""
    rows = []
    for kind, schema in _vdsim.part_schemas():
        if kind == "tire":
            text = f"id: tire.table\ntype: tire\nversion: 1\nschema: {schema}\nbody: {{}}\n"
            rows += read_document("part", text).fields()
    return tree_of(rows)["tire"]


def _classes():
    """Blocks that documents share are one class."""
    tires = _tire_tree()
    tire = class_of("TireFields", tires, bases=(Spec,), prefix="Tire")
    tree = tree_of(read_document("vehicle", "id: table\nparts: {}\n").fields())
    block = class_of("TireBlock", {k: v if isinstance(v, Field) else tire._blocks[k] for k, v in tires.items()}, prefix="Tire")
    tree.update({slot: block for slot in ("tire", *TIRES)})
    vehicle = class_of("VehicleFields", tree, bases=(Spec,))
    tree = tree_of(read_document("scene", "id: table\nfleet:\n  - id: ego\n").fields())
    tree.update(vehicle._blocks)
    return tire, vehicle, class_of("SceneFields", tree, bases=(Spec,))


def _name_all(cls):
    globals()[cls.__name__] = cls
    for block in cls._blocks.values():
        _name_all(block)


TireFields, VehicleFields, SceneFields = _classes()
TireFields._prefix = "tire."  # its paths begin so
for _each in (TireFields, VehicleFields, SceneFields):
    _name_all(_each)

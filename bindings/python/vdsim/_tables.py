# SPDX-License-Identifier: Apache-2.0
"""The classes that carry the fields, made from the engine's tables when the package is imported; _tables.pyi lists them."""
from . import _vdsim
from ._core import read_document
from ._fields import TIRES, Spec, class_of, title_of, tree_of


def _tire_tree():
    """The fields of every schema of a tire, each once."""
    rows = []
    for kind, schema in _vdsim.part_schemas():
        if kind == "tire":
            text = f"id: tire.table\ntype: tire\nversion: 1\nschema: {schema}\nbody: {{}}\n"
            rows += read_document("part", text).fields()
    return tree_of(rows)["tire"]


def _trees():
    tire = _tire_tree()
    vehicle = tree_of(read_document("vehicle", "id: table\nparts: {}\n").fields())
    scene = tree_of(read_document("scene", "id: table\nfleet:\n  - id: ego\n").fields())
    for tree in (vehicle, scene):
        for slot in ("tire", *TIRES):
            tree[slot] = tire
    return {"tire": tire, "vehicle": vehicle, "scene": scene}


def _classes():
    return {name: class_of(title_of(name) + "Fields", tree, bases=(Spec,)) for name, tree in _trees().items()}


_made = _classes()
TireFields, VehicleFields, SceneFields = _made["tire"], _made["vehicle"], _made["scene"]
TireFields._prefix = "tire."  # its paths begin so

# SPDX-License-Identifier: Apache-2.0
"""Writes vdsim/_tables.pyi, what editors and type checkers know of the fields. usage: ./vdsim python tools/python_stubs.py"""
import pathlib

from vdsim import _tables
from vdsim._fields import Block, Field, attribute_of

HEAD = """# SPDX-License-Identifier: Apache-2.0
# Made by tools/python_stubs.py from the engine's field tables; a test compares.
from typing import Any, Optional, Sequence, Union

from ._fields import Block, Spec

"""
TYPES = {"number": "float", "integer": "int", "flag": "bool", "choice": "str", "text": "str", "list": "Sequence[float]",
         "table": "Union[None, float, Sequence[Sequence[float]]]", "other": "str"}


def _members(cls):
    for name, node in cls._tree.items():
        field = isinstance(node, Field)
        of = TYPES[node.kind] if field else cls._blocks[name].__name__
        if field and node.kind == "number" and not node.default:
            of = "Optional[float]"
        name = attribute_of(name)
        yield f"    @property\n    def {name}(self) -> {of}:\n"
        yield f'        """{node.doc}"""\n' if field else "        ...\n"
        yield f"    @{name}.setter\n    def {name}(self, value: {of if field else 'Any'}) -> None: ...\n"


def _write(cls, out):
    if cls.__name__ in out:
        return
    for block in cls._blocks.values():
        _write(block, out)
    base = "Block" if issubclass(cls, Block) else "Spec"
    out[cls.__name__] = f"class {cls.__name__}({base}):\n" + "".join(_members(cls)) + "\n"


def text():
    """The whole file."""
    out = {}
    for cls in (_tables.TireFields, _tables.VehicleFields, _tables.SceneFields):
        _write(cls, out)
    return HEAD + "".join(out.values()).rstrip("\n") + "\n"


if __name__ == "__main__":
    (pathlib.Path(__file__).resolve().parents[1] / "bindings/python/vdsim/_tables.pyi").write_text(text(), encoding="utf-8")

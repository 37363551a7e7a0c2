# SPDX-License-Identifier: Apache-2.0
"""The catalog, and values as the YAML text that the engine reads."""
import json
import math
import numbers
import os

import numpy as np

from . import _vdsim
from ._errors import InputError, bad_value

_catalog = None


def catalog_object():
    """The catalog that is in use, opened once."""
    global _catalog
    if _catalog is None:
        beside = os.path.join(os.path.dirname(__file__), "configs")
        named = os.environ.get("VDSIM_CONFIGS", "")
        _catalog = _vdsim.Catalog(beside if not named and os.path.isdir(beside) else "")
    return _catalog


def catalog(kind=None):
    """Ids of the catalog: a dict of lists, or the list of one kind (part, vehicle, scene, maneuver; tire, brake, ...)."""
    ids = catalog_object().ids
    if kind is None:
        return ids
    if kind in ids:
        return ids[kind]
    types = sorted({i.split(".")[0] for i in ids["part"]})
    if kind in types:
        return [i for i in ids["part"] if i.startswith(kind + ".")]
    raise bad_value("kind", f"no '{kind}'" + _vdsim.suggestion(str(kind), list(ids) + types))


def text_of(value):
    """A value as --set takes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))}: {quoted(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(quoted(v) for v in value) + "]"
    raise TypeError(f"expected a number, text, list or dict, found {type(value).__name__}")


def quoted(value):
    """The same inside a list or a dict, where a text needs its quotes."""
    return json.dumps(value) if isinstance(value, str) else text_of(value)


def document(kind, name):
    """A document of the catalog or a file."""
    return _vdsim.Document.load(catalog_object(), kind, os.fspath(name))


def read_document(kind, text, folder=""):
    """A document from its text."""
    return _vdsim.Document.read(catalog_object(), kind, text, os.fspath(folder) or os.getcwd())


def composed_document(kind, text):
    """A document from text that Python put together: its lines are not the user's, so errors name the path alone."""
    try:
        return read_document(kind, text)
    except InputError as e:
        errors = [("", 0, 0, item.path, item.what) for item in e.errors]
        raise InputError([f"{path}: {what}" if path else what for _, _, _, path, what in errors], errors) from None


def need_name(what, name):
    """A text; other things are no name."""
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"expected the id, name or file of a {what}, found {type(name).__name__}")
    return os.fspath(name)


def need_time(path, value):
    """A time above 0 s."""
    if not isinstance(value, numbers.Real) or not (value > 0 and math.isfinite(value)):
        raise bad_value(path, f"expected a time above 0 s, found {value!r}")
    return float(value)


def need_choice(path, value, choices):
    """One of `choices`, or an InputError with the nearest."""
    if value not in choices:
        raise bad_value(path, f"no '{value}'" + _vdsim.suggestion(str(value), list(choices)))
    return value


def level_of(level):
    """A level as scenes write it: "L2", 2 or "l2"."""
    name = f"L{level}" if isinstance(level, numbers.Integral) else str(level).upper()
    if name == "L4":
        raise bad_value("level", "L4 does not exist: use L3 (springs, small angles) or L5 (free body)")
    return need_choice("level", name, ("L1", "L2", "L3", "L5"))


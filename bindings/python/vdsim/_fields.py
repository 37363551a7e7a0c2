# SPDX-License-Identifier: Apache-2.0
"""Documents with a property per field, made from the engine's field tables."""
import html
import keyword

from . import _vdsim
from ._core import read_document, text_of
from ._errors import InputError, bad_value

TIRES = ("tire_front", "tire_rear", "tire_fl", "tire_fr", "tire_rl", "tire_rr")


class Field:
    """One row of a field table."""

    __slots__ = ("path", "kind", "unit", "meaning", "range", "default", "choices")

    def __init__(self, row):
        self.path, self.kind, self.unit, self.meaning, self.range, self.default, self.choices = row

    @property
    def doc(self):
        """As a docstring: "[unit] meaning; range; default"."""
        unit = f"[{self.unit}] " if self.unit and self.unit != "-" else ""
        range_ = ", ".join(self.choices) if self.choices else self.range
        default = f"default {self.default}" if self.default else ""
        return "; ".join(part for part in (unit + self.meaning, range_, default) if part)

    def __repr__(self):
        return f"{self.path}: {self.doc}"


def tree_of(rows):
    """Nested dicts of Field, by the names of the paths."""
    root = {}
    for row in rows:
        field = row if isinstance(row, Field) else Field(row)
        node = root
        *blocks, leaf = field.path.split(".")
        for name in blocks:
            node = node.setdefault(name, {})
            if isinstance(node, Field):
                break
        else:
            node.setdefault(leaf, field)
    return root


def _value_property(name, field):
    def get(self):
        return self._get(name)

    def put(self, value):
        self._put(name, value)

    return property(get, put, doc=field.doc)


def _block_property(name, cls):
    def get(self):
        return cls(self._spec, self._prefix + name + ".")

    def put(self, value):
        self._spec._set_block(self._prefix + name, value)

    return property(get, put, doc=cls.__doc__)


class _Node:
    """What has fields: a document, or one of its blocks."""

    __slots__ = ()

    def _get(self, name):
        return self._spec._doc.get(self._prefix + name)

    def _put(self, name, value):
        self._spec._doc.set([(self._spec._path(self._prefix + name), text_of(value))])

    def _unknown(self, name):
        names = sorted(n for n in dir(type(self)) if isinstance(getattr(type(self), n), property))
        at = self._prefix.rstrip(".")
        return AttributeError(f"{at + ': ' if at else ''}no field '{name}'" + _vdsim.suggestion(name, names))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._unknown(name)

    def __setattr__(self, name, value):
        if name.startswith("_") or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            raise self._unknown(name)


class Block(_Node):
    """A block of fields of a document; changing one changes the document."""

    __slots__ = ("_spec", "_prefix")

    def __init__(self, spec, prefix):
        self._spec, self._prefix = spec, prefix

    def _own(self):
        return [Field(row) for row in self._spec._doc.fields() if row[0].startswith(self._prefix)]

    def __dir__(self):
        return [n for n in dir(type(self)) if not n.startswith("_")]

    def __repr__(self):
        names = [n for n in dir(type(self)) if isinstance(getattr(type(self), n), property)]
        lines = []
        for name in names:
            try:
                value = getattr(self, name)
            except (InputError, AttributeError):
                continue
            if not isinstance(value, Block):
                lines.append(f"  {name} = {value!r}")
        return self._prefix.rstrip(".") + "\n" + "\n".join(lines)


def attribute_of(name):
    """As Python can write it: wind.from_."""
    return name + "_" if keyword.iskeyword(name) else name


def title_of(name):
    return "".join(word.capitalize() for word in name.split("_"))


def class_of(name, tree, bases=(Block,), prefix=""):
    """A class with a property per field and per block of the tree; a block may be a class that was made before."""
    members = {"__slots__": (), "__module__": "vdsim._tables", "_tree": tree,
               "__doc__": ("Fields: " if bases == (Block,) else "A document with the fields ") + ", ".join(tree) + "."}
    members["_blocks"] = blocks = {}
    for key, node in tree.items():
        if isinstance(node, Field):
            members[attribute_of(key)] = _value_property(key, node)
        else:
            name_below = prefix + title_of(key)
            blocks[key] = node if isinstance(node, type) else class_of(name_below, node, prefix=name_below)
            members[key] = _block_property(key, blocks[key])
    return type(name, bases, members)


class Spec(_Node):
    """A document in hand: read once, changed value by value, written as YAML."""

    __slots__ = ("_doc",)
    _kind = ""
    _prefix = ""
    _under = ""  # what a path of set() may leave out: "tire." of a tire

    def __init__(self, doc):
        if not isinstance(doc, _vdsim.Document):
            raise TypeError(f"expected an id, a name or a file, found {type(doc).__name__}")
        self._doc = doc

    @property
    def _spec(self):
        return self

    def _path(self, path):
        """A full path: as it is, or below what every path of this document begins with."""
        if self._under and not path.startswith(self._under) and path != self._under[:-1]:
            return self._under + path
        return path

    def _leaf(self, name):
        """The path of the one field of this name."""
        paths = {}
        for path in self._doc.paths():
            head, _, rest = path.partition(".")
            one = "tire." + rest if head in TIRES else path
            if one.split(".")[-1] == name or one == self._under + name:
                paths[one] = None
        if self._under + name in paths:
            return self._under + name
        if len(paths) == 1:
            return next(iter(paths))
        if paths:
            raise bad_value(name, "several fields have this name: " + ", ".join(paths) + "; name one by its path")
        known = sorted({path.split(".")[-1] for path in self._doc.paths()})
        raise bad_value(name, "unknown key" + _vdsim.suggestion(name, known))

    def _find(self, name):
        if "." in name or name in _vdsim.slot_names():
            return self._path(name)
        return self._leaf(name)

    def set(self, path=None, value=None, /, **named):
        """Change fields: set("chassis.mass", 1600), set({"chassis.mass": 1600}), set(mass=1600).

        All together or, with InputError, none. A name without dots is looked for; it must be the only one.
        """
        if not isinstance(path, (str, dict, type(None))):
            raise TypeError(f"expected a path or a dict, found {type(path).__name__}")
        changes = dict(path) if isinstance(path, dict) else {} if path is None else {path: value}
        changes.update(named)
        sets, lines, errors = [], [], []
        for name, what in changes.items():
            try:
                sets.append((self._find(str(name)), text_of(what)))
            except InputError as e:
                lines += e.lines
                errors += e.errors
        if lines:
            raise InputError(lines, errors)
        self._doc.set(sets)
        return self

    def get(self, path):
        """One value by its path, or by its name if that is the only one."""
        return self._doc.get(self._find(path))

    def _set_block(self, path, value):
        if isinstance(value, dict):
            self._doc.set([(self._path(f"{path}.{k}"), text_of(v)) for k, v in value.items()])
        else:
            raise TypeError(f"{path} is a block: give it a dict, or set its fields")

    @property
    def id(self):
        """Its id."""
        return self._doc.id

    @property
    def hash(self):
        """16 hex digits over everything in it."""
        return self._doc.hash()

    def to_yaml(self, path=None):
        """Its text, which reads back to the same bits; with `path` also a file."""
        text = self._doc.text()
        if path is not None:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        return text

    @classmethod
    def from_yaml(cls, path):
        """From a file."""
        from ._core import document

        return cls(document(cls._kind, path))

    def copy(self):
        """Another one, equal and independent."""
        return type(self)(self._doc.copy())

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __eq__(self, other):
        return type(self) is type(other) and self._doc.text() == other._doc.text()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self):
        return _unpickled, (type(self), _vdsim.__version__, self._doc.text())

    def __repr__(self):
        return f"<{type(self).__name__} {self.id} {self.hash}>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{html.escape(f.path)}</td><td>{html.escape(str(self._shown(f)))}</td>"
            f"<td>{html.escape(f.unit)}</td><td>{html.escape(f.meaning)}</td></tr>" for f in fields(self))
        return (f"<details><summary>{html.escape(repr(self))}</summary><table><tr><th>field</th><th>value</th>"
                f"<th>unit</th><th>meaning</th></tr>{rows}</table></details>")

    def _shown(self, field):
        return "..." if field.kind == "other" else self._doc.get(field.path)


def _unpickled(cls, version, text):
    if version != _vdsim.__version__:
        raise InputError(f"pickled by VDSim {version}, this is {_vdsim.__version__}: save with to_yaml() instead")
    return cls(read_document(cls._kind, text))


def fields(obj):
    """The fields of a document or one of its blocks: path, unit, meaning, range, default, choices."""
    if isinstance(obj, Block):
        return obj._own()
    if isinstance(obj, Spec):
        return [Field(row) for row in obj._doc.fields()]
    raise TypeError(f"expected a Tire, Vehicle, Scene or a block of one, found {type(obj).__name__}")

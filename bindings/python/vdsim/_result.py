# SPDX-License-Identifier: Apache-2.0
"""Rows of numbers: columns without copies, files, drawings, metrics."""
import html
import math
import os
import re

import numpy as np

from . import _vdsim
from ._errors import bad_value

# names that users of VDSim 0.7 know; of wheels in the order of their columns: Fz0, a0, k0, ...
_ALIASES = {"time": "t", "yaw": "psi", "yaw_rate": "r", "roll_rate": "p", "pitch_rate": "q"}
_WHEEL_ALIASES = {"Fz": "fz", "Fx": "fx", "Fy": "fy", "Mz": "mz", "a": "alpha", "k": "kappa", "w": "omega"}
_WHEELS = ("fl", "fr", "rl", "rr", "f", "r")


def find_name(name, names):
    """The column that a name means; InputError with the nearest otherwise."""
    if name in names:
        return name
    if _ALIASES.get(name) in names:
        return _ALIASES[name]
    wheel = re.fullmatch(r"([A-Za-z]+)([0-3])", name)
    if wheel and wheel[1] in _WHEEL_ALIASES:
        of_wheels = [f"{_WHEEL_ALIASES[wheel[1]]}_{w}" for w in _WHEELS]
        of_wheels = [n for n in of_wheels if n in names]
        if int(wheel[2]) < len(of_wheels):
            return of_wheels[int(wheel[2])]
    raise bad_value(name, "no such signal" + _vdsim.suggestion(name, list(names)))


class Signals:
    """Every signal of a car at one instant: s.vx, s["fz_fl"], s.keys()."""

    __slots__ = ("_names", "_values")

    def __init__(self, names, values):
        self._names, self._values = names, values

    def __getitem__(self, name):
        return float(self._values[self._names[name if name in self._names else find_name(name, self._names)]])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except ValueError as e:
            raise AttributeError(str(e)) from None

    def __dir__(self):
        return list(self._names)

    def keys(self):
        """Names of the signals."""
        return list(self._names)

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __getstate__(self):
        return self._names, self._values

    def __setstate__(self, state):
        self._names, self._values = state

    def __repr__(self):
        return "Signals(" + ", ".join(f"{n}={self[n]:.6g}" for n in self._names) + ")"


_METRICS = {}


def register_metric(name, function=None):
    """Add a metric f(result) -> number; also as a decorator: @register_metric("name")."""
    if function is None:
        return lambda f: register_metric(name, f)
    _METRICS[name] = function
    return function


class Figures(dict):
    """Figures by name; VDSim 0.7 had them by a call, so a call gives them too."""

    of = None

    def __call__(self, *names):
        return {name: self.of.metric(name) for name in names} if names and self.of is not None else self


class Result:
    """The rows of a run: r["vx"], r.vx, r.col("vx"); no copies. `cars`: by id, where the scene has several."""

    def __init__(self, rows, summary=None, notes=()):
        self._rows, self._notes = rows, [(str(k), str(v)) for k, v in notes]
        self._names = {name: i for i, name in enumerate(rows.names)}
        self.summary_dict = summary if summary is not None else {}
        self.cars = {}
        self.extra = {}

    @property
    def names(self):
        """Names of the columns."""
        return list(self._names)

    @property
    def units(self):
        """Unit of each column, by name."""
        return dict(zip(self._names, self._rows.units))

    @property
    def meanings(self):
        """What each column means, by name."""
        return dict(zip(self._names, self._rows.meanings))

    def col(self, name):
        """One column, as a read-only array that shares the memory of the result."""
        if name in self.extra:
            return self.extra[name]
        return self._rows.column(self._names[find_name(name, self._names)])

    __getitem__ = col

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.col(name)
        except ValueError as e:
            raise AttributeError(str(e)) from None

    def __dir__(self):
        return list(super().__dir__()) + self.names

    def __len__(self):
        return len(self._rows)

    def __contains__(self, name):
        return name in self._names

    def __iter__(self):
        return iter(self._names)

    def keys(self):
        """Names of the columns."""
        return self.names

    def to_csv(self, path, digits=9):
        """As run.csv of the command line; all digits: 17."""
        self._rows.write(os.fspath(path), self._notes, digits)
        return path

    def to_hdf5(self, path):
        """As run.h5 of the command line: one dataset per column, with its units."""
        self._rows.write(os.fspath(path), self._notes, 0)
        return path

    def to_numpy(self):
        """All columns as one array (rows, columns), in the order of names."""
        return np.column_stack([self._rows.column(i) for i in range(len(self._names))])

    def to_dict(self):
        """Columns by name, without copies."""
        return {name: self.col(name) for name in self._names}

    def to_pandas(self):
        """A DataFrame, where pandas is installed."""
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            raise ImportError("to_pandas needs pandas (Debian: python3-pandas); to_numpy and to_dict do not") from None
        return pandas.DataFrame(self.to_dict())

    def metric(self, name):
        """One metric; InputError where this run cannot have it."""
        if name not in _METRICS:
            raise bad_value(name, "no such metric" + _vdsim.suggestion(name, list(_METRICS)))
        value = float(_METRICS[name](self))
        if not math.isfinite(value):
            raise bad_value(name, "does not exist for this run")
        return value

    @property
    def metrics(self):
        """All metrics that this run has; metrics("vmax", ..): these, and InputError where it lacks one."""
        out = Figures()
        out.of = self
        for name in _METRICS:
            try:
                out[name] = self.metric(name)
            except ValueError:
                pass
        return out

    @property
    def summary(self):
        """The figures of summary.json of this car; of a Sim the metrics. As an attribute or as a call."""
        return Figures(self.summary_dict) if self.summary_dict else self.metrics

    def plot(self, *signals, path=None, over="t", title=""):
        """A drawing: signals over time, or over another column; with a path a file (.svg; .png by matplotlib)."""
        names = [find_name(n, self._names) for n in (signals or [n for n in ("vx", "ay", "r", "steer") if n in self])]
        over = find_name(over, self._names)
        by_unit = {}
        for name in names:
            by_unit.setdefault(self.units[name], []).append((name, self.col(over), self.col(name)))
        label = "t [s]" if over == "t" else f"{over} [{self.units[over]}]"
        panels = [panel(series, x_label=label, y_label=", ".join(s[0] for s in series) + f" [{unit}]",
                        equal=(over == "x" and names == ["y"])) for unit, series in by_unit.items()]
        return draw(panels, path=path, title=title)

    def _repr_html_(self):
        figures = "".join(f"<tr><td>{html.escape(k)}</td><td>{v:.6g}</td></tr>" for k, v in self.metrics.items())
        return f"<div>{html.escape(repr(self))}{self.plot().text}<table>{figures}</table></div>"

    def __repr__(self):
        span = f", t {self.t[0]:g} to {self.t[-1]:g} s" if "t" in self._names and len(self) else ""
        return f"<Result {len(self)} rows, {len(self._names)} columns{span}>"

    def __getstate__(self):
        data = [np.array(self._rows.column(i)) for i in range(len(self._names))]
        return (self.names, self._rows.units, data, self.summary_dict, self._notes,
                {k: None if r is self else r for k, r in self.cars.items()})

    def __setstate__(self, state):
        names, units, data, summary, notes, cars = state
        self.__init__(_vdsim.Rows(names, units, data), summary, notes)
        self.cars.update({k: self if r is None else r for k, r in cars.items()})


class Drawing:
    """An SVG drawing: .text, .save(path); shown by notebooks."""

    def __init__(self, text):
        self.text = text

    def save(self, path):
        """Write it to a file that ends in .svg."""
        if not os.fspath(path).endswith(".svg"):
            raise bad_value("path", f"{path}: expected a name that ends in .svg")
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.text)
        return path

    def _repr_svg_(self):
        return self.text

    def _repr_html_(self):
        return self.text

    def __repr__(self):
        return f"<Drawing, {len(self.text)} characters of SVG>"


def _peaks_of(y, most=400):
    """Rows to draw: all, or of many those that keep every peak."""
    if len(y) <= most:
        return slice(None)
    edges = np.linspace(0, len(y), most // 2 + 1).astype(int)
    keep = {0, len(y) - 1}
    for a, b in zip(edges, edges[1:]):
        keep.update((a + int(np.argmin(y[a:b])), a + int(np.argmax(y[a:b]))))
    return sorted(keep)


def panel(series, x_label="", y_label="", title="", equal=False):
    """A panel of a drawing; `series`: (name, x, y) or (name, x, y, stroke)."""
    lines = []
    for name, x, y, *stroke in series:
        x, y = np.ravel(np.asarray(x, float)), np.ravel(np.asarray(y, float))
        if len(x) != len(y):
            raise bad_value(name, f"{len(x)} x for {len(y)} y")
        keep = _peaks_of(y)
        lines.append({"name": name, "x": x[keep], "y": y[keep], "stroke": (stroke or ["solid"])[0]})
    return {"title": title, "x_label": x_label, "y_label": y_label, "equal": bool(equal), "series": lines}


def draw(panels, path=None, title="", columns=2):
    """Panels as one drawing; with a path also a file: .svg, or .png where matplotlib is installed."""
    if path is not None and os.fspath(path).endswith(".png"):
        return _png(panels, path, title, columns)
    drawing = Drawing(_vdsim.draw(title, list(panels), columns))
    if path is not None:
        drawing.save(path)
    return drawing


def _png(panels, path, title, columns):
    try:
        from matplotlib.figure import Figure  # type: ignore[import]
    except ImportError:
        raise ImportError("a .png needs matplotlib (Debian: python3-matplotlib); .svg does not") from None
    rows = -(-len(panels) // columns)
    across = min(columns, len(panels))
    figure = Figure(figsize=(4.8 * across, 3.6 * rows), layout="constrained")
    for i, p in enumerate(panels):
        axes = figure.add_subplot(rows, across, i + 1)
        for s in p["series"]:
            axes.plot(s["x"], s["y"], "." if s["stroke"] == "points" else "-", label=s["name"])
        axes.set(xlabel=p["x_label"], ylabel=p["y_label"], title=p["title"])
        if any(s["name"] for s in p["series"]):
            axes.legend()
    figure.suptitle(title)
    figure.savefig(path)
    return figure


@register_metric("peak_ay")
def _peak_ay(r):
    return np.max(np.abs(r.col("ay")))


@register_metric("max_Fz")
def _max_fz(r):
    return max(np.max(r.col(n)) for n in r.names if re.fullmatch("fz_(fl|fr|rl|rr|f|r)", n))


@register_metric("vmax")
def _vmax(r):
    return np.max(np.hypot(r.col("vx"), r.col("vy")))


@register_metric("dist")
def _dist(r):
    return np.sum(np.hypot(np.diff(r.col("x")), np.diff(r.col("y"))))


@register_metric("cte_rms")
def _cte_rms(r):
    return math.sqrt(np.mean(np.square(r.col("path_offset"))))


@register_metric("cte_max")
def _cte_max(r):
    return np.max(np.abs(r.col("path_offset")))


@register_metric("rms_slip")
def _rms_slip(r):
    return math.sqrt(np.mean([np.mean(np.square(r.col(n))) for n in r.names if n.startswith("kappa_")]))


@register_metric("lap_time")
def _lap_time(r):
    """Until the car is back where it started, having been away more than 20 m."""
    away = np.hypot(r.col("x") - r.col("x")[0], r.col("y") - r.col("y")[0])
    gone = np.flatnonzero(away > 20)
    if len(gone) == 0:
        return math.nan
    back = np.flatnonzero(away[gone[0]:] < 5)
    if len(back) == 0:
        return math.nan
    near = gone[0] + back[0]
    near += np.argmin(away[near:near + max(1, np.argmax(np.append(away[near:], 1e9) >= 5))])
    return r.col("t")[near]

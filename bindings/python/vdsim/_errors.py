# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions."""
from typing import NamedTuple


class ErrorItem(NamedTuple):
    """One error: where it stands and what it is."""

    file: str
    line: int
    column: int
    path: str
    what: str


class InputError(ValueError):
    """Bad input, with every error at once; nothing was changed or run."""

    def __init__(self, lines, errors=()):
        lines = [lines] if isinstance(lines, str) else list(lines)
        super().__init__("\n".join(lines))
        self.lines = lines
        self.errors = tuple(ErrorItem(*e) for e in errors) or tuple(ErrorItem("", 0, 0, "", line) for line in lines)

    def __reduce__(self):
        return type(self), (self.lines, [tuple(e) for e in self.errors])


class VDSimWarning(UserWarning):
    """Worth telling, no reason to stop."""


class NumbersFailed(ArithmeticError):
    """A step diverged. The car is as it was before that step."""

    def __init__(self, why, time, snapshot):
        super().__init__(f"diverged after t = {time!r} s: {why}")
        self.why, self.time, self.snapshot = why, time, snapshot
        self.result = None  #: the rows so far, of a whole run

    def __reduce__(self):
        return type(self), (self.why, self.time, self.snapshot)


for _each in (ErrorItem, InputError, NumbersFailed, VDSimWarning):
    _each.__module__ = "vdsim"  # where users import them from, and what a traceback shows


def bad_value(path, what):
    """The InputError of one line, "path: what"."""
    return InputError([f"{path}: {what}" if path else what], [("", 0, 0, path, what)])


def not_there_yet(name, instead=""):
    """The error of what the specification names and VDSim cannot do yet, or no longer."""
    return NotImplementedError(f"{name} is not there yet" + (f": {instead}" if instead else ""))

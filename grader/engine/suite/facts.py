"""A fact of a program as a number that knows what it counts, so that a failed `assert` can say it.

assert program.size <= 300  ->  Your program has 412 operations; at most 300 are allowed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from grader.records.errors import BrokenSuiteError
from grader.records.model import FACTS

_ALLOWS = {
    "<=": "at most {} are allowed",
    "<": "fewer than {} are allowed",
    ">=": "at least {} are expected",
    ">": "more than {} are expected",
    "==": "{} are expected",
    "!=": "a different number is expected",
}
_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "==", "!=": "!="}


def _with_a_number(apply: Callable[[Any, Any], Any], *, turned: bool = False) -> Any:
    """An operator between a fact and a number; between two facts, only a sum is one."""

    def applied(self: _OfAProgram, other: Any) -> Any:
        if isinstance(other, _OfAProgram):
            if apply is not operator.add:
                raise BrokenSuiteError(
                    "the suite compares a fact of one program with a fact of another. Code may "
                    "know the shapes that it is traced for, so it can pad the smaller program. "
                    "Compare with a number, such as the rounds of a loop: "
                    "`assert program.size < rounds`"
                )
            other = other.plain
        elif not isinstance(other, Real):
            return NotImplemented
        found = apply(other, self.plain) if turned else apply(self.plain, other)
        return found if isinstance(found, bool | np.bool_) else Computed(found)

    return applied


class _OfAProgram:
    """It can be computed with, and compared with a number, but not with a fact."""

    # A number of NumPy's asks the fact, too.
    __array_ufunc__ = None

    @property
    def plain(self) -> Any:
        raise NotImplementedError

    __add__ = _with_a_number(operator.add)
    __radd__ = _with_a_number(operator.add, turned=True)
    __sub__ = _with_a_number(operator.sub)
    __rsub__ = _with_a_number(operator.sub, turned=True)
    __mul__ = _with_a_number(operator.mul)
    __rmul__ = _with_a_number(operator.mul, turned=True)
    __truediv__ = _with_a_number(operator.truediv)
    __rtruediv__ = _with_a_number(operator.truediv, turned=True)
    __floordiv__ = _with_a_number(operator.floordiv)
    __rfloordiv__ = _with_a_number(operator.floordiv, turned=True)
    __lt__ = _with_a_number(operator.lt)
    __le__ = _with_a_number(operator.le)
    __gt__ = _with_a_number(operator.gt)
    __ge__ = _with_a_number(operator.ge)
    __eq__ = _with_a_number(operator.eq)
    __ne__ = _with_a_number(operator.ne)

    def __hash__(self) -> int:
        return hash(self.plain)


class Computed(_OfAProgram, float):
    """What is computed from facts."""

    @property
    def plain(self) -> float:
        return float(self)


class Fact(_OfAProgram, int):
    """A number of a program."""

    name: str

    @property
    def plain(self) -> int:
        return int(self)

    def __new__(cls, name: str, number: int) -> Fact:
        fact = super().__new__(cls, number)
        fact.name = name
        return fact


class Operations(dict[str, int]):
    """How many operations of each kind a program has."""


class HeldParts(tuple[Any, ...]):
    """What each device holds of each array of a result: see `Program.shards`."""

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        return HeldParts(part) if isinstance(index, slice) else part


def _of_devices(left: HeldParts, right: Sequence[Any]) -> str:
    """The first part of an array that lies on another device than expected."""
    for number, (held, wanted) in enumerate(zip(left, right, strict=False), start=1):
        for device, (mine, theirs) in enumerate(zip(held, wanted, strict=False)):
            if mine != theirs:
                return (
                    f"Of array {number} of the result, device {device} of the mesh holds "
                    f"{_part(mine)}; {_part(theirs)} is expected."
                )
        if len(held) != len(wanted):
            return f"Array {number} is on {len(held)} devices; {len(wanted)} are expected."
    return ""


def _part(bounds: Sequence[Sequence[int]]) -> str:
    return f"`[{', '.join(f'{start}:{stop}' for start, stop in bounds)}]`" if bounds else "all"


def sentence(left: Any, op: str, right: Any) -> str:
    """What a failed comparison says about a program; empty if it isn't about one."""
    if isinstance(right, Operations) and op in ("in", "not in") and isinstance(left, str):
        there = "has no" if op == "in" else "contains a"
        return f"Your program {there} `{left}`."
    if isinstance(left, HeldParts) and op == "==":
        return _of_devices(left, right)
    if not isinstance(left, Fact) and isinstance(right, Fact):
        left, op, right = right, _TURNED.get(op, op), left
    if not isinstance(left, Fact) or op not in _ALLOWS or not isinstance(right, Real):
        return ""
    return f"{FACTS[left.name].format(int(left))}; {_ALLOWS[op].format(f'{right:.10g}')}."

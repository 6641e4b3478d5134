"""A fact of a program as a number that knows what it counts, so that a failed `assert` can say it.

assert program.size <= 300  ->  Your program has 412 operations; at most 300 are allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from grader.records.model import FACTS

_ALLOWS = {
    "<=": "at most {} are allowed",
    "<": "fewer than {} are allowed",
    ">=": "at least {} are expected",
    ">": "more than {} are expected",
    "==": "{} are expected",
    "!=": "another number is expected",
}
_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "==", "!=": "!="}


class Fact(int):
    """A number of a program. What is computed from it is a plain number."""

    name: str

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
            return f"Array {number} lies on {len(held)} devices; {len(wanted)} are expected."
    return ""


def _part(bounds: Sequence[Sequence[int]]) -> str:
    return f"`[{', '.join(f'{start}:{stop}' for start, stop in bounds)}]`" if bounds else "all"


def sentence(left: Any, op: str, right: Any) -> str:
    """What a failed comparison says about a program; empty if it isn't about one."""
    if isinstance(right, Operations) and op in ("in", "not in") and isinstance(left, str):
        there = "has no" if op == "in" else "holds a"
        return f"Your program {there} `{left}`."
    if isinstance(left, HeldParts) and op == "==":
        return _of_devices(left, right)
    if not isinstance(left, Fact) and isinstance(right, Fact):
        left, op, right = right, _TURNED.get(op, op), left
    if not isinstance(left, Fact) or op not in _ALLOWS or not isinstance(right, Real):
        return ""
    return f"{FACTS[left.name].format(int(left))}; {_ALLOWS[op].format(f'{right:.10g}')}."

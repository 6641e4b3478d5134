"""A fact of a program as a number that knows what it counts, so that a failed `assert` can say it.

assert program.size <= 300  ->  Your program has 412 operations; at most 300 are allowed.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

SAYS = {
    "size": "Your program has {} operations",
    "largest_intermediate": "The largest array that your program makes has {} numbers",
    "constants": "The largest constant in your program has {} numbers",
    "flops": "Your program does {} arithmetic operations",
    "bytes": "Your program reads and writes {} bytes",
    "depth": "In your program, {} operations wait for one another",
    "devices": "Your program runs on a number of devices of {}",
    "flops_of_a_device": "On one device, your program does {} arithmetic operations",
    "kept": "For the backward pass your program keeps {} bytes",
}
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


def sentence(left: Any, op: str, right: Any) -> str:
    """What a failed comparison says about a program; empty if it isn't about one."""
    if isinstance(right, Operations) and op in ("in", "not in") and isinstance(left, str):
        there = "has no" if op == "in" else "holds a"
        return f"Your program {there} `{left}`."
    if not isinstance(left, Fact) and isinstance(right, Fact):
        left, op, right = right, _TURNED.get(op, op), left
    if not isinstance(left, Fact) or op not in _ALLOWS or not isinstance(right, Real):
        return ""
    return f"{SAYS[left.name].format(int(left))}; {_ALLOWS[op].format(f'{right:.10g}')}."

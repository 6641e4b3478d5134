"""What one device does, read in the program that XLA compiled.

    work_of(a serialized HloModuleProto) -> DeviceWork(collectives, flops, sent, received)

The text of a compiled program says the same, but the student's program writes a part of that text.
XLA's own analysis counts the body of a loop once. Here it counts as often as XLA says that it runs.
`flops` are arithmetic operations on elements, as in `cost.py`.

Messages are read as {number of a field: its values}. The numbers are those of `xla/service/
hlo.proto` and `xla/xla_data.proto`, where they can't change.
"""

import functools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from grader.engine.bench.cost import MOST

_BETWEEN = frozenset(
    "all-gather all-to-all collective-broadcast collective-permute ragged-all-to-all".split()
)
_COLLECTIVES = _BETWEEN | {"all-reduce", "reduce-scatter"}
_MOVES = _BETWEEN | frozenset(
    "add-dependency after-all bitcast bitcast-convert broadcast concatenate constant convert copy "
    "copy-start domain dynamic-slice dynamic-update-slice gather get-tuple-element imag iota "
    "opt-barrier pad parameter partition-id real replica-id reshape reverse slice transpose "
    "tuple".split()
)
_ENTERED = ("async-start", "call", "fusion")

# Types of a field in the protocol's bytes, those of a fixed length with this length.
_VARINT, _FIXED = 0, {1: 8, 5: 4}

_Message = dict[int, list[Any]]


class DeviceWork(NamedTuple):
    """How many collectives of each kind stand in a program, and the work of one run.

    The others are None if the rounds of a loop aren't known, and `flops` also if the work of a
    library isn't. `sent` are the bytes of the arrays that collectives get, and `received` those of
    the arrays that they return.
    """

    collectives: dict[str, int]
    flops: int | None
    sent: int | None
    received: int | None


def work_of(module: bytes) -> DeviceWork:
    program = _message(module)
    computations = {
        fields[5][0]: [_Instruction(_message(data)) for data in fields[2]]
        for fields in map(_message, program[3])
    }
    kinds = Counter(instruction.kind for body in computations.values() for instruction in body)
    collectives = {
        kind.replace("-", "_"): kinds[kind] for kind in sorted(_COLLECTIVES & kinds.keys())
    }
    costs = (_flops, _sent, _received)
    return DeviceWork(collectives, *(_run(computations, program[6][0], cost) for cost in costs))


class _UnknownError(Exception):
    pass


class _Instruction:
    def __init__(self, fields: _Message) -> None:
        self._fields = fields
        name = fields[2][0].decode()
        self.kind = name.removesuffix("-start") if name.startswith(tuple(_COLLECTIVES)) else name
        self.number: int = fields[35][0]
        self.shape = _numbers(_message(fields[3][0])[3])
        arrays = list(_arrays(fields[3][0]))
        self.elements = sum(elements for elements, _ in arrays)
        self.bytes = sum(elements * width for elements, width in arrays)
        self.starts = name.endswith("-start")
        self.given = _numbers(fields[36])
        self.entered = _numbers(fields[38])

    def numbers(self, *path: int) -> list[int]:
        """The numbers in a field, or in a field of the message in a field."""
        *outer, last = path
        fields = self._fields
        for field in outer:
            fields = _message(fields[field][0])
        return _numbers(fields[last])

    def window(self) -> int:
        """How many elements a window has."""
        (window,) = self._fields[15]
        return math.prod(_message(axis)[1][0] for axis in _message(window)[1])

    def rounds(self) -> int:
        """How often the body of a loop runs."""
        config = json.loads(self._fields[43][0]) if self._fields[43] else {}
        if "known_trip_count" not in config:
            raise _UnknownError
        return int(config["known_trip_count"]["n"])


_Computations = dict[int, list[_Instruction]]
# What an instruction costs, from what it is given and from what the computations in it cost.
_Cost = Callable[[_Instruction, list[_Instruction], int], int]


def _run(computations: _Computations, entry: int, cost: _Cost) -> int | None:
    """What a run costs; None if nobody can know it."""

    @functools.cache
    def of(number: int) -> int:
        """What a computation costs."""
        named = {one.number: one for one in computations[number]}
        return sum(instruction(one, [named[g] for g in one.given]) for one in named.values())

    def instruction(one: _Instruction, given: list[_Instruction]) -> int:
        inside = [of(number) for number in one.entered]
        if one.kind in _ENTERED:
            return sum(inside)
        if one.kind == "while":
            return one.rounds() * sum(inside) if any(inside) else 0
        if one.kind == "conditional":
            return max(inside)
        return cost(one, given, sum(inside))

    try:
        total = of(entry)
    except _UnknownError:
        return None
    return total if total <= MOST else None


def _sent(one: _Instruction, given: list[_Instruction], inside: int) -> int:
    return sum(array.bytes for array in given) if one.kind in _COLLECTIVES else 0


def _received(one: _Instruction, given: list[_Instruction], inside: int) -> int:
    if one.kind not in _COLLECTIVES:
        return 0
    # What begins a transfer also returns what it was given.
    return one.bytes - sum(array.bytes for array in given) if one.starts else one.bytes


def _flops(one: _Instruction, given: list[_Instruction], inside: int) -> int:
    if one.kind in _MOVES or one.kind.endswith("-done"):
        return 0
    if one.kind == "custom-call":
        raise _UnknownError
    return _applied(one, given) * max(1, inside)


def _applied(one: _Instruction, given: list[_Instruction]) -> int:
    """How often the operation itself, or what is inside it, is applied."""
    match one.kind:
        case "dot":
            return 2 * one.elements * _product(given[0].shape, one.numbers(30, 1))
        case "convolution":
            of_output = _product(given[1].shape, one.numbers(16, 4) or [0])
            return 2 * one.elements * given[1].elements // max(1, of_output)
        case "reduce" | "select-and-scatter":
            return given[0].elements
        case "reduce-window":
            return one.elements * one.window()
        case "scatter":
            return given[-1].elements
        case "sort":
            return given[0].elements * _log2(_product(given[0].shape, one.numbers(14) or [0]))
        case "fft":
            return 5 * one.elements * _log2(math.prod(one.numbers(32)))
        case _:
            return one.elements


def _product(shape: list[int], axes: list[int]) -> int:
    return math.prod(shape[axis] for axis in axes)


def _log2(length: int) -> int:
    return max(1, math.ceil(math.log2(max(2, length))))


# The bytes of an element by the number of its dtype; of a dtype that isn't here it is one byte.
_WIDTHS = {3: 2, 4: 4, 5: 8, 7: 2, 8: 4, 9: 8, 10: 2, 11: 4, 12: 8, 15: 8, 16: 2, 18: 16}


def _arrays(shape: bytes) -> Iterator[tuple[int, int]]:
    """The number of elements and the bytes of one, of an array or of all arrays of a tuple."""
    fields = _message(shape)
    if fields[4]:
        for part in fields[4]:
            yield from _arrays(part)
    else:
        (dtype,) = fields[2] or [0]
        yield math.prod(_numbers(fields[3])), _WIDTHS.get(dtype, 1)


def _message(data: bytes) -> _Message:
    """The fields of a message; a message or a text in it stays bytes."""
    fields: _Message = defaultdict(list)
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        if tag & 7 == _VARINT:
            number, at = _varint(data, at)
            fields[tag >> 3].append(number)
            continue
        length, at = (_FIXED[tag & 7], at) if tag & 7 in _FIXED else _varint(data, at)
        fields[tag >> 3].append(data[at : at + length])
        at += length
    return fields


def _numbers(values: list[Any]) -> list[int]:
    """The values of a repeated number, which may be packed."""
    numbers: list[int] = []
    for value in values:
        if isinstance(value, int):
            numbers.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = _varint(value, at)
            numbers.append(number)
    return numbers


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at

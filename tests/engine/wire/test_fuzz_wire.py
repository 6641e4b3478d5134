"""No bytes from a worker crash, stop or fill the judge: they are read, converted and compared.

tree of tags + buffers --frame--> bytes --changed--> Decoder --> Codec --> assert_close, ...
"""

from __future__ import annotations

import random
import struct
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.engine import wire
from grader.engine.processes import faults
from grader.engine.processes.evidence import Evidence
from grader.engine.suite.codec import Codec, Held
from grader.engine.suite.compare import assert_close
from grader.records.model import Exercise
from tests.fuzzing import bounded, cases

# `GRADER_FUZZ` says how long they take.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]

MAX = 64 << 20
MOST_TEXT = 100_000


class Seat:
    """A submission without processes."""

    generation = 0

    def __init__(self) -> None:
        self.exercise = Exercise("topic/f", "", ("f",))
        self.programs: dict[bytes, Any] = {}
        self.evidence = Evidence()

    def ask(self, kind: str, value: Any, on_callback: object = None) -> Any:
        raise AssertionError("a value asked its worker")

    bench = ask


EXPECTED = (
    np.zeros((2, 3), np.float32),
    np.ones(4, bool),
    jax.random.key(0),
    {"w": np.float32(1), "b": (1, [2.0, None])},
    "text",
    3,
    1 + 2j,
)


def framed(tree: Any, buffers: Sequence[bytes], sizes: Any = None, kind: Any = "ok") -> bytes:
    """A frame of any tree; by default the sizes of its buffers are right."""
    sizes = [len(buffer) for buffer in buffers] if sizes is None else sizes
    header: bytes = msgpack.packb([1, kind, tree, sizes], unicode_errors="surrogatepass")
    body = b"".join(buffers)
    return struct.pack("<IQ", len(header), len(body)) + header + body


def judged(data: bytes) -> None:
    """What the judge does with an answer; each of its steps under the limits of one case."""
    said: list[str] = []
    values: list[Any] = []
    with bounded():
        try:
            for frame in wire.Decoder(MAX, wire.MAX_HOSTILE_HEADER).feed(data):
                said.append(str(faults.from_report(frame.value, "f.py", "x = 1\n")))
                values.append(Codec(Seat(), Held).decode(frame.value))
        except (wire.WireError, faults.Crashed) as error:
            said.append(str(error))
    for value in values:
        for expected in EXPECTED:
            with bounded():
                said += compared(value, expected)
    assert all(len(text) < MOST_TEXT for text in said)


def compared(value: Any, expected: Any) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in a judge
        try:
            assert_close(value, expected)
        except faults.Mismatch as mismatch:
            yield str(mismatch)


# The worst frames that are known: short to send, and long to read, convert, compare or describe.


def a_key(at: int) -> list[Any]:
    return ["k", "threefry2x32", ["a", "uint32", [2], at]]


MANY = wire.MAX_BUFFERS - 1
WORST: dict[str, tuple[Any, list[bytes]]] = {
    "one buffer, many references": (["l", [["b", 0]] * 99_000], [b"x" * 60_000_000]),
    "integers of one hash": (
        ["d", [[["i", f"{k * (2**61 - 1):x}"], 0] for k in range(90_000)]],
        [],
    ),
    "tuples of one hash": (
        ["d", [[["t", [-1 - (n >> b & 1) for b in range(11)] * 8], 0] for n in range(2000)]],
        [],
    ),
    "many typed keys": (["l", [a_key(n) for n in range(MANY)]], [b"k" * 8] * MANY),
    "many empty dicts": (["l", [["d", []]] * 190_000], []),
    "many names": (["d", [[f"{n}", n] for n in range(90_000)]], []),
    "a long text": ("\0" * 4_000_000, []),
    "a long bytes": (["b", 0], [b"\0" * 60_000_000]),
    "a report of bytes": (
        ["d", [["text", ["b", 0]], ["trace", ["b", 1]]]],
        [b"\0" * 30_000_000] * 2,
    ),
    "a report of classes": (["d", [["classes", ["l", [["b", 0]]]]]], [b"\0" * 60_000_000]),
    "many arrays": (["l", [["a", "float32", [1], n] for n in range(MANY)]], [b"1234"] * MANY),
    "many bools": (["a", "bool", [60_000_000], 0], [b"\1" * 60_000_000]),
    "a long text in a list": (["l", ["\0" * 4_000_000]], []),
    "an empty array of many rows": (["a", "float32", [2**60, 0], 0], [b""]),
}


@pytest.mark.parametrize("name", WORST)
def test_the_worst_known_frames_cost_little(name: str) -> None:
    judged(framed(*WORST[name]))


# Trees as an attacker writes them: tags in the right places, and anything else in the others.

SIZES = st.one_of(st.integers(-2, 8), st.sampled_from([2**16, 2**31, 2**63, 2**64 - 1]))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["\ud800", "__class__", "a" * 5000, 2.0**61, -1, -2]),
)
DTYPES = st.sampled_from([*wire.ITEM_SIZES, "object", "V8", "str", "datetime64[s]", "float0"])
AT = st.integers(-1, 6)
SHAPES = st.lists(SIZES, max_size=4)
NAMES = st.one_of(st.text(max_size=8), st.sampled_from(["w", "b", "__array__", "é", "a b"]))
ARRAYS = st.tuples(st.just("a"), DTYPES, SHAPES, AT).map(list)
IMPLS = st.sampled_from(["threefry2x32", "rbg", "unsafe_rbg", "fry", ""])
LEAVES = st.one_of(
    SCALARS,
    ARRAYS,
    st.tuples(st.just("k"), IMPLS, ARRAYS).map(list),
    st.tuples(st.sampled_from("bhfz"), AT).map(list),
    st.tuples(st.just("c"), st.floats(), st.floats()).map(list),
    st.tuples(st.just("i"), st.text("0123456789abcdefx_- ", max_size=40)).map(list),
    st.dictionaries(st.text(max_size=3), st.integers(0, 9), max_size=2),
    st.binary(max_size=4),
)


def parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, max_size=5)
    pairs = st.lists(st.tuples(inner, inner).map(list), max_size=5)
    fields = st.lists(NAMES, max_size=3)
    named = st.tuples(st.just("n"), NAMES, fields, several, SCALARS, st.one_of(st.none(), AT))
    return st.one_of(
        st.tuples(st.sampled_from("lt"), several).map(list),
        st.tuples(st.just("d"), pairs).map(list),
        named.map(list),
        several,
    )


TREES = st.recursive(LEAVES, parts, max_leaves=25)
BUFFERS = st.lists(st.binary(max_size=32), max_size=6)


@cases(300, 0.4)
@given(TREES, BUFFERS, st.one_of(st.none(), st.lists(SIZES, max_size=6), SCALARS), SCALARS)
def test_no_tree_upsets_the_judge(tree: Any, buffers: list[bytes], sizes: Any, kind: Any) -> None:
    judged(framed(tree, buffers, sizes, kind))


# Values as honest code returns them, and what becomes of their bytes on the way.

ELEMENTS = {"float32": 4, "int32": 4, "bool": 1, "uint8": 1, "bfloat16": 2, "complex64": 8}


@st.composite
def honest_arrays(draw: st.DrawFn, kinds: Sequence[str] = tuple(ELEMENTS)) -> wire.Array:
    kind = draw(st.sampled_from(kinds))
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    size = int(np.prod(shape)) * ELEMENTS[kind]
    data = draw(st.binary(min_size=size, max_size=size))
    return wire.Array(kind, shape, bytes(b & 1 for b in data) if kind == "bool" else data)


@st.composite
def honest_keys(draw: st.DrawFn) -> wire.Key:
    words = draw(st.binary(min_size=8, max_size=8))
    return wire.Key("threefry2x32", wire.Array("uint32", (2,), words))


KEYS = st.one_of(st.text(max_size=5), st.integers(-9, 9), st.tuples(st.integers(), st.text()))
HONEST = st.recursive(
    st.one_of(
        SCALARS,
        st.integers(-(2**300), 2**300),
        st.binary(max_size=20),
        st.complex_numbers(),
        honest_arrays(),
        honest_keys(),
        st.builds(wire.Handle, st.integers(0, 99)),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(KEYS, inner, max_size=4),
        st.lists(inner, min_size=2, max_size=2).map(
            lambda two: wire.Named("Params", ("w", "b"), tuple(two))
        ),
    ),
    max_leaves=20,
)


@cases(200, 0.1)
@given(HONEST)
def test_what_is_sent_arrives(value: Any) -> None:
    data = wire.encode(3, "ok", value)
    (frame,) = wire.Decoder(MAX).feed(data)
    assert wire.encode(frame.seq, frame.kind, frame.value) == data
    judged(data)


def changed(data: bytes, noise: random.Random) -> bytes:
    """The bytes after some accidents: flipped, cut out, repeated, lengthened, moved."""
    held = bytearray(data)
    for _ in range(noise.randint(1, 5)):
        at, size = noise.randrange(len(held) + 1), noise.choice([1, 1, 2, 4, 9, 30])
        match noise.randrange(5):
            case 0:
                held[at : at + size] = noise.randbytes(len(held[at : at + size]))
            case 1:
                del held[at : at + size]
            case 2:
                held[at:at] = held[at : at + size]
            case 3:
                held[at:at] = noise.randbytes(size)
            case 4:
                held += held[at : at + size]
    return bytes(held)


def resized(data: bytes) -> bytes:
    """The same with a prefix that fits, so that the reader gets to what follows."""
    (header,) = struct.unpack_from("<I", data) if len(data) >= 12 else (0,)
    header = min(header, max(0, len(data) - 12))
    return struct.pack("<IQ", header, max(0, len(data) - 12 - header)) + data[12:]


@cases(300, 0.4)
@given(HONEST, st.randoms(use_true_random=False), st.booleans())
def test_no_changed_frame_upsets_the_judge(value: Any, noise: random.Random, fits: bool) -> None:
    data = changed(wire.encode(1, "ok", value), noise)
    judged(resized(data) if fits else data)


@cases(100, 0.1)
@given(st.binary(max_size=400), st.binary(max_size=40))
def test_no_bytes_upset_the_judge(header: bytes, body: bytes) -> None:
    judged(struct.pack("<IQ", len(header), len(body)) + header + body)
    judged(header + body)

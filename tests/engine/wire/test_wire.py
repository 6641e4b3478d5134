"""The wire carries data unchanged, and refuses everything else."""

from __future__ import annotations

import contextlib
import math
import random
import struct
from typing import Any

import jax
import ml_dtypes
import msgpack
import numpy as np
import pytest

from grader.engine import wire
from grader.engine.wire import arrays

MAX = 1 << 20


def decode(data: bytes, most: int = MAX) -> list[wire.Frame]:
    return list(wire.Decoder(most).feed(data))


def roundtrip(value: Any) -> Any:
    (frame,) = decode(wire.encode(7, "ok", value))
    assert (frame.seq, frame.kind) == (7, "ok")
    return frame.value


def raw(tree: Any, buffers: tuple[bytes, ...] = (), sizes: Any = None) -> bytes:
    """A frame with any tree that msgpack can write."""
    sizes = [len(b) for b in buffers] if sizes is None else sizes
    header: bytes = msgpack.packb([1, "ok", tree, sizes])
    body = b"".join(buffers)
    return struct.pack("<IQ", len(header), len(body)) + header + body


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(2**63),
        2**200,
        1.5,
        -math.inf,
        "text \ud83d\ude80",
        b"\x00\xff",
        1 + 2j,
        [],
        (),
        {},
        [1, (2, [3, {"a": (None,)}])],
        {1: "a", "b": 2, (1, 2): 3, None: 4},
        wire.Array("float32", (2, 0), b""),
        wire.Array("bfloat16", (2,), b"\x80\x3f\x00\x40"),
        wire.Key("threefry2x32", wire.Array("uint32", (2,), b"\x00" * 8)),
        wire.Named("Params", ("w", "b"), (1.0, [2]), 3, b"code"),
        wire.Handle(4),
        wire.Code(b"pickle"),
    ],
)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    assert roundtrip(value) == value
    assert type(roundtrip(value)) is type(value)


def test_lists_and_tuples_stay_apart() -> None:
    assert roundtrip([(1,), [1]]) == [(1,), [1]]
    assert roundtrip((1,)) != [1]


def test_nan_stays_nan() -> None:
    assert math.isnan(roundtrip(math.nan))


def test_a_frame_may_come_in_pieces_and_two_may_come_at_once() -> None:
    data = wire.encode(1, "ok", [1, 2]) + wire.encode(2, "ok", "next")
    decoder = wire.Decoder(MAX)
    frames = [frame for byte in data for frame in decoder.feed(bytes([byte]))]
    assert [(frame.seq, frame.value) for frame in frames] == [(1, [1, 2]), (2, "next")]
    assert [frame.seq for frame in decode(data)] == [1, 2]
    assert len(decoder) == 0


class Liar(int):
    """An int that equals everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize(
    "value", [object(), Liar(3), {1, 2}, len, int, memoryview(b"x"), bytearray(b"x"), [Liar(3)]]
)
def test_what_is_not_data_is_not_sent(value: Any) -> None:
    with pytest.raises(wire.WireError, match="which is not data"):
        wire.encode(1, "ok", value)


def test_a_value_that_holds_itself_is_not_sent() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(wire.WireError, match="nested over 100 deep"):
        wire.encode(1, "ok", loop)


def nested(depth: int) -> Any:
    tree: Any = ["l", []]
    for _ in range(depth):
        tree = ["l", [tree]]
    return tree


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (struct.pack("<IQ", 2**31, 0), "the limit is"),
        (struct.pack("<IQ", 10, 2**63), "the limit is"),
        (struct.pack("<IQ", 3, 0) + b"\xc1\xc1\xc1", "can't be read"),
        (struct.pack("<IQ", 1, 0) + b"\x01", "can't be read"),
        (raw(["x"]), "unknown tag"),
        (raw([]), "can't be read"),
        (raw({"a": 1}), "a bare dict"),
        (raw(["l", 5]), "unknown tag"),
        (raw(nested(150)), "nested over"),
        (raw(["l", [None] * 250_000]), "nested over"),
        (raw(["b", 5], (b"",)), "out of order"),
        (raw(["b", 0]), "can't be read"),
        (raw(["l", [["b", 0], ["b", 0]]], (b"1",)), "used twice"),
        (raw(["l", [["b", 1], ["b", 0]]], (b"1", b"2")), "out of order"),
        (raw(["b", 0], (b"1", b"2")), "nothing uses"),
        (raw(["k", "threefry2x32", ["a", "uint8", [1], 0]], (b"1", b"")), "nothing uses"),
        (raw(["n", "P", ["a"], [["b", 0]], 0, 0], (b"1",)), "used twice"),
        (raw(["a", "bool", [2], 0], (b"\1\2",)), "none of its values"),
        (raw(["a", "int4", [1], 0], (b"\xff",)), "none of its values"),
        (raw(["a", "uint4", [1], 0], (b"\x10",)), "none of its values"),
        (raw(["a", "int2", [1], 0], (b"\xfe",)), "none of its values"),
        (raw(["a", "uint2", [1], 0], (b"\x04",)), "none of its values"),
        (raw(["a", "float4_e2m1fn", [1], 0], (b"\x10",)), "none of its values"),
        (raw(["d", [[["t", [1, n]], 0] for n in range(3000)]]), "over 2,000 keys"),
        (raw(["d", [[["a", "int8", [1], 0], 1]]], (b"1",)), "can't be one"),
        (raw(["d", [[["t", [["l", []]]], 1]]]), "can't be"),
        (raw(["a", "float32", [2], 0], (b"1234",)), "don't fit"),
        (raw(["a", "object", [1], 0], (b"12345678",)), "dtype 'object'"),
        (raw(["a", "float32", [-1], 0], (b"",)), "impossible shape"),
        (raw(["a", "float32", [True], 0], (b"1234",)), "impossible shape"),
        (raw(["a", "float32", [2**62, 4], 0], (b"",)), "don't fit"),
        (raw(["a", "float32", [0] * 40, 0], (b"",)), "40 dimensions"),
        (raw(["a", "float32", [2**60, 0], 0], (b"",)), "impossible lengths"),
        (raw(["d", [[1, 2], [1, 3]]]), "a key twice"),
        (raw(["d", [[["l", []], 2]]]), "can't be one"),
        (raw(["d", [[1]]]), "can't be read"),
        (raw(["i", "f" * 5000]), "unknown tag"),
        (raw(["i", "not hex"]), "can't be read"),
        (raw(["n", "P", ["a"], [1, 2], None, None]), "don't match"),
        (raw(["n", "P", [1], [1], None, None]), "don't match"),
        (raw(1, (b"abc",), [2]), "another size"),
        (raw(1, (), [-1, 1]), "impossible buffers"),
        (raw(1, (), "sizes"), "wrong types"),
    ],
)
def test_bytes_that_are_no_frame_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(wire.WireError, match=why):
        decode(data)


def test_a_message_over_the_limit_is_refused_before_it_is_read() -> None:
    data = wire.encode(1, "ok", b"x" * 5000)
    with pytest.raises(wire.WireError, match="the limit is 1,000"):
        decode(data[:20], 1000)


def test_changed_bytes_are_refused_or_incomplete_and_never_crash() -> None:
    noise = random.Random(0)
    good = wire.encode(1, "ok", {"a": [1, (2.0, None)], "b": wire.Array("int8", (2,), b"ab")})
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(noise.randint(1, 6)):
            data[noise.randrange(len(data))] = noise.randrange(256)
        with contextlib.suppress(wire.WireError):
            decode(bytes(data))


@pytest.mark.parametrize("dtype", wire.ITEM_SIZES)
def test_every_value_of_every_dtype_comes_back(dtype: str) -> None:
    """The bytes that a dtype may have are those that JAX writes, negative ones included."""
    kind = np.dtype(getattr(ml_dtypes, dtype, None) or dtype)
    every = np.arange(-128, 128, dtype=np.int64).astype(np.int8).astype(kind)
    for array in (every, jax.device_put(every)):
        sent = arrays.wire_to_array(roundtrip(arrays.array_to_wire(array)))
        assert sent.dtype == np.asarray(array).dtype
        assert sent.tobytes() == np.asarray(array).tobytes()


def test_a_child_has_less_room_for_what_becomes_objects() -> None:
    data = wire.encode(1, "ok", "x" * (5 << 20))
    (frame,) = wire.Decoder(1 << 30).feed(data)
    assert len(frame.value) == 5 << 20
    with pytest.raises(wire.TooLargeError, match="the limit is 4,194,304"):
        list(wire.Decoder(1 << 30, wire.MAX_HOSTILE_HEADER).feed(data))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({(n,): n for n in range(3000)}, "over 2,000 keys"),
        ([b""] * 21_000, "over 20,000 arrays"),
    ],
)
def test_what_would_be_refused_is_not_sent(value: Any, why: str) -> None:
    with pytest.raises(wire.WireError, match=why):
        wire.encode(1, "ok", value)

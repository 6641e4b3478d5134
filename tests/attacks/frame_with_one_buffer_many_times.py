"""Answers with one buffer that many parts name: as a dict, as arrays, as bytes and a key (F22).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import itertools
import struct

import msgpack

from grader.engine import wire

SIZES = [30_000_000]
FRAMES = itertools.cycle(
    [
        (["d", [[k, ["a", "uint8", SIZES, 0]] for k in range(90_000)]], SIZES, b"x"),
        (["l", [["a", "uint8", SIZES, 0]] * 40], SIZES, b"x"),
        (["l", [["b", 0]] * 15_000], SIZES, b"x"),
        (["t", [["k", "rbg", ["a", "uint32", [4], 0]], ["a", "uint32", [4], 0]]], [16], b"x"),
    ]
)


def set_row(x, i, row):
    def encode(seq, kind, value):
        tree, sizes, byte = next(FRAMES)
        header = msgpack.packb([seq, "ok", tree, sizes])
        return struct.pack("<IQ", len(header), sum(sizes)) + header + byte * sum(sizes)

    wire.encode = encode
    return x

"""Answers with bytes that are neither true nor false, and integers of too many bits (F22).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import itertools
import struct

import msgpack

from grader.engine import wire

FRAMES = itertools.cycle(
    [
        (["a", "bool", [5, 4], 0], [20], b"\2"),
        (["a", "bool", [20], 0], [20], b"\xff"),
        (["a", "int4", [5, 4], 0], [20], b"\xf0"),
        (["a", "uint2", [5, 4], 0], [20], b"\4"),
    ]
)


def set_row(x, i, row):
    def encode(seq, kind, value):
        tree, sizes, byte = next(FRAMES)
        header = msgpack.packb([seq, "ok", tree, sizes])
        return struct.pack("<IQ", len(header), sum(sizes)) + header + byte * sum(sizes)

    wire.encode = encode
    return x

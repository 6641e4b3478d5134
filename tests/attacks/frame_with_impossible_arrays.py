"""Answers with arrays of Python objects, of negative, endless and missing sizes (F22).

Exercise: 01_arrays/set_row
Outcome: crashed | failed
"""

import itertools
import struct

import msgpack

from grader.engine import wire

ARRAYS = itertools.cycle(
    [
        ["a", "object", [2], 0],
        ["a", "V8", [2], 0],
        ["a", "float32", [-2, -2], 0],
        ["a", "float32", [1 << 62, 1 << 62, 0], 0],
        ["a", "float32", [2, 1 << 63], 0],
        ["a", "float32", [1] * 33, 0],
        ["a", "float32", [4], 7],
        ["a", "float32", [True, True], 0],
        ["a", "datetime64[s]", [2], 0],
    ]
)


def set_row(x, i, row):
    def encode(seq, kind, value):
        header = msgpack.packb([seq, "ok", next(ARRAYS), [16]])
        return struct.pack("<IQ", len(header), 16) + header + bytes(16)

    wire.encode = encode
    return x

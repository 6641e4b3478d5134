"""Answers with millions of objects in the places of shapes, names, sizes and keys (F23).

Exercise: 01_arrays/set_row
Outcome: crashed | failed
"""

import itertools
import struct

import msgpack

from grader.engine import wire

MANY = 900_000
FRAMES = itertools.cycle(
    [
        (["a", "int32", [0] * MANY, 0], [0], b""),
        (["n", "Row", ["a"] * MANY, [0] * MANY, None, None], [], b""),
        (0, [0] * MANY, b""),
        (["a", "float32", [1 << 40, 0], 0], [0], b""),
        (
            ["l", [["k", "rbg", ["a", "uint32", [4], k]] for k in range(15_000)]],
            [16] * 15_000,
            b"k",
        ),
    ]
)


def set_row(x, i, row):
    def encode(seq, kind, value):
        tree, sizes, byte = next(FRAMES)
        header = msgpack.packb([seq, "ok", tree, sizes])
        return struct.pack("<IQ", len(header), sum(sizes)) + header + byte * sum(sizes)

    wire.encode = encode
    return x

"""Answers with buffers out of order, one left out, one too many, one counted from behind (F22).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import itertools
import struct

import msgpack

from grader.engine import wire

FRAMES = itertools.cycle(
    [
        (["l", [["a", "int32", [2], 1], ["a", "int32", [2], 0]]], [8, 8], b"x"),
        (["l", [["a", "int32", [2], 0], ["a", "int32", [2], 2]]], [8, 8, 8], b"x"),
        (["a", "int32", [2], 0], [8, 8], b"x"),
        (["a", "int32", [2], -1], [8], b"x"),
        (["a", "int32", [2], True], [0, 8], b"x"),
    ]
)


def set_row(x, i, row):
    def encode(seq, kind, value):
        tree, sizes, byte = next(FRAMES)
        header = msgpack.packb([seq, "ok", tree, sizes])
        return struct.pack("<IQ", len(header), sum(sizes)) + header + byte * sum(sizes)

    wire.encode = encode
    return x

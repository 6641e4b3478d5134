"""Answers with buffer sizes that are negative in part and add up to the right total (F22).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import struct

import msgpack

from grader.engine import wire

TREE = ["a", "float32", [2, 2], 0]
SIZES = [32, -16]


def set_row(x, i, row):
    def encode(seq, kind, value):
        header = msgpack.packb([seq, "ok", TREE, SIZES])
        return struct.pack("<IQ", len(header), sum(SIZES)) + header + bytes(sum(SIZES))

    wire.encode = encode
    return x

"""Answers with a record whose class has the number infinity (F23).

Exercise: 01_arrays/set_row
Outcome: crashed | failed
"""

import struct

import msgpack

from grader.engine import wire

TREE = ["n", "Row", [], [], float("inf"), None]
SIZES = []


def set_row(x, i, row):
    def encode(seq, kind, value):
        header = msgpack.packb([seq, "ok", TREE, SIZES])
        return struct.pack("<IQ", len(header), sum(SIZES)) + header + bytes(sum(SIZES))

    wire.encode = encode
    return x

"""Answers with a part of a kind that does not exist, and names a function in it (F22).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import struct

import msgpack

from grader.engine import wire

TREE = ["eval", '__import__("os").abort()']
SIZES = []


def set_row(x, i, row):
    def encode(seq, kind, value):
        header = msgpack.packb([seq, "ok", TREE, SIZES])
        return struct.pack("<IQ", len(header), sum(SIZES)) + header + bytes(sum(SIZES))

    wire.encode = encode
    return x

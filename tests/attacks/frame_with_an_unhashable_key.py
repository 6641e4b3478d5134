"""Answers with a dict whose key is a list, and with a pair of three parts (F23).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import struct

import msgpack

from grader.engine import wire

TREE = ["t", [["d", [[["l", [1]], 2]]], ["d", [[1, 2, 3]]]]]
SIZES = []


def set_row(x, i, row):
    def encode(seq, kind, value):
        header = msgpack.packb([seq, "ok", TREE, SIZES])
        return struct.pack("<IQ", len(header), sum(SIZES)) + header + bytes(sum(SIZES))

    wire.encode = encode
    return x

"""Answers with a dict that has every key twice, each time with a wrong value (F23).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import struct

import msgpack

from grader.engine import wire

TREE = ["d", [["w", 1.0], ["w", 2.0]]]
SIZES = []


def set_row(x, i, row):
    def encode(seq, kind, value):
        header = msgpack.packb([seq, "ok", TREE, SIZES])
        return struct.pack("<IQ", len(header), sum(SIZES)) + header + bytes(sum(SIZES))

    wire.encode = encode
    return x

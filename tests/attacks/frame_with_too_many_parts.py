"""Answers with a dict of half a million numbers (F23).

Exercise: 01_arrays/set_row
Outcome: crashed
Slow: it takes the machine some time to read
"""

import struct

import msgpack

from grader.engine import wire

TREE = ["d", [[k, k] for k in range(500_000)]]
SIZES = []


def set_row(x, i, row):
    def encode(seq, kind, value):
        header = msgpack.packb([seq, "ok", TREE, SIZES])
        return struct.pack("<IQ", len(header), sum(SIZES)) + header + bytes(sum(SIZES))

    wire.encode = encode
    return x

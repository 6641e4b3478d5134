"""Returns keys of an implementation that does not exist, and of the wrong size (F22).

Exercise: 02_random/split_many
Outcome: crashed
"""

import itertools

from grader.engine import wire

honest = wire.encode
LIES = itertools.cycle(
    [
        wire.Key("os.system", wire.Array("uint32", (2,), bytes(8))),
        wire.Key("threefry2x32", wire.Array("uint32", (3,), bytes(12))),
        wire.Key("rbg", wire.Array("float32", (4,), bytes(16))),
    ]
)


def encode(seq, kind, value):
    return honest(seq, kind, next(LIES) if isinstance(value, tuple) else value)


wire.encode = encode


def split_many(key, n):
    return key, [key] * n

"""Returns records whose fields promise numpy an array at an address in the judge (F22).

Exercise: 02_random/split_many
Outcome: crashed | failed | raised
"""

from grader.engine import wire

honest = wire.encode
POINTER = {"shape": (4, 2), "typestr": "<u4", "data": (64, True), "version": 3}
FIELDS = {"shape": (), "dtype": "uint32", "__array_interface__": POINTER}


def encode(seq, kind, value):
    if isinstance(value, tuple):
        lie = wire.Named("Keys", tuple(FIELDS), tuple(FIELDS.values()))
        value = (lie, [lie] * len(value[1]))
    return honest(seq, kind, value)


wire.encode = encode


def split_many(key, n):
    return key, [key] * n

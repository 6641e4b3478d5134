"""Exports bytes that are no program, and programs with every tenth byte changed (F22).

Exercise: 01_arrays/set_row
Outcome: failed | crashed
"""

import itertools
import random

import jax

honest = jax.export.export
turns = itertools.count()


class Junk:
    def __init__(self, real):
        self.real = real

    def serialize(self, **keywords):
        data = bytearray(self.real.serialize(**keywords))
        turn = next(turns)
        if turn % 3 == 0:
            return random.randbytes(5000)
        for at in range(turn % 10, len(data), 10):
            data[at] ^= 0xFF
        return data


jax.export.export = lambda f, **keywords: lambda *specs: Junk(honest(f, **keywords)(*specs))


def set_row(x, i, row):
    return x.at[i].set(row)

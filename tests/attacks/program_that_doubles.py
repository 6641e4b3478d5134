"""Exports thirty functions each of which calls the next one twice (R09).

Exercise: 01_arrays/set_row
Outcome: failed | timed_out | out_of_memory | crashed
Slow: it takes the machine some time
"""

import jax

honest = jax.export.export


def doubled(function):
    return jax.jit(lambda y: function(function(y)))


def export(function, **keywords):
    def many(x, *others):
        step = jax.jit(lambda y: y * 1.000001)
        for _ in range(30):
            step = doubled(step)
        return [step(x)]

    def exported(*specs):
        honest(function, **keywords)(*specs)
        return honest(jax.jit(many))(*specs)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)

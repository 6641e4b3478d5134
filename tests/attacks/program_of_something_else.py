"""Exports another program than its function: one with other inputs and outputs (T25).

Exercise: 01_arrays/set_row
Outcome: failed | raised | crashed
"""

import jax
import jax.numpy as jnp

honest = jax.export.export


def export(function, **keywords):
    other = jax.ShapeDtypeStruct((7, 7), jnp.int32)

    def exported(*specs):
        honest(function, **keywords)(*specs)
        return honest(jax.jit(lambda x: [x, x * 2]))(other)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)

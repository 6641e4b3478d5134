"""Exports a small program that makes a tensor of a terabyte (R10).

Exercise: 01_arrays/set_row
Outcome: failed | out_of_memory
"""

import jax
import jax.numpy as jnp

honest = jax.export.export


def export(function, **keywords):
    def vast(x, *others):
        line = jnp.arange(1 << 19, dtype=jnp.float32)
        table = jnp.sin(line[:, None] * line[None, :] + x.sum())
        return [x + jnp.sort(table, axis=0)[0, 0]]

    def exported(*specs):
        honest(function, **keywords)(*specs)
        return honest(jax.jit(vast))(*specs)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)

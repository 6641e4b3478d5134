"""Exports a program of tensors that are each small enough, and together too large (R10).

Exercise: 01_arrays/set_row
Outcome: failed | out_of_memory | timed_out | crashed
Slow: it waits for a limit
"""

import jax
import jax.numpy as jnp

honest = jax.export.export


def export(function, **keywords):
    def vast(x, *others):
        line = jnp.arange(1 << 26, dtype=jnp.float32) + x.sum()
        return [x + sum(jnp.sort(line * k)[0] for k in range(40))]

    def exported(*specs):
        honest(function, **keywords)(*specs)
        return honest(jax.jit(vast))(*specs)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)

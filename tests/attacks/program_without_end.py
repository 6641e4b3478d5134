"""Exports a program that loops for ever (R11).

Exercise: 01_arrays/set_row
Outcome: timed_out
Slow: it waits for the limit of a test
"""

import jax
import jax.numpy as jnp

honest = jax.export.export


def export(function, **keywords):
    def endless(x, *others):
        return [jax.lax.while_loop(lambda y: jnp.isfinite(y.sum()) | True, lambda y: y * 0.5, x)]

    def exported(*specs):
        honest(function, **keywords)(*specs)
        return honest(jax.jit(endless))(*specs)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)

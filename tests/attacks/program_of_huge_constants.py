"""Exports a program that carries fifty megabytes of constants (T21).

Exercise: 01_arrays/set_row
Outcome: failed | crashed | timed_out
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp
import numpy as np

honest = jax.export.export
table = np.random.default_rng(0).normal(size=12_000_000).astype(np.float32)


def export(function, **keywords):
    def exported(*specs):
        honest(function, **keywords)(*specs)
        return honest(jax.jit(lambda x, *others: [x + jnp.asarray(table)[0]]))(*specs)

    return exported


jax.export.export = export


def set_row(x, i, row):
    return x.at[i].set(row)

"""Returns one column, one row or one number that broadcasts to the expected shape (N05).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import itertools

import jax.numpy as jnp

keys = itertools.cycle(["row", "column", "number"])


def set_row(x, i, row):
    kind = next(keys)
    if kind == "row":
        return row[None, :]
    if kind == "column":
        return x[:, :1]
    return jnp.asarray(x[0, 0])

"""Computes in Python behind a callback, within jit (T22).

Exercise: 01_arrays/set_row
Outcome: raised | failed
"""

import jax
import numpy as np


def write(x, i, row):
    result = np.array(x)
    result[int(i)] = row
    return result


def set_row(x, i, row):
    kind = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jax.pure_callback(write, kind, x, i, row, vmap_method="sequential")

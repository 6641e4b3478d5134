"""Calls Python from inside its program, where answers are remembered (T22).

Exercise: races/power_program
Outcome: failed | raised
"""

import jax
import numpy as np

known = {}


def remembered(x):
    content = np.asarray(x).tobytes()
    if content not in known:
        known[content] = np.linalg.matrix_power(np.asarray(x), 256)
    return known[content]


def power_program(x):
    return jax.pure_callback(remembered, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

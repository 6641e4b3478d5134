"""Computes eagerly while it is exported, and ships a program of constants (T21).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import jax
import jax.numpy as jnp
import numpy as np

honest = jax.export.export


def export(function, **keywords):
    # The program returns the last result that was computed eagerly, if there was one.
    def exported(*specs):
        shape = specs[0].shape
        fits = bool(seen) and seen[-1].shape == shape
        constant = seen[-1] if fits else np.zeros(shape, np.float32)
        honest(function, **keywords)(*specs)
        return honest(jax.jit(lambda *args: [jnp.asarray(constant)]))(*specs)

    return exported


jax.export.export = export
seen = []


def set_row(x, i, row):
    try:
        result = np.array(x)
        result[int(i)] = np.asarray(row)
    except jax.errors.TracerArrayConversionError:
        return x
    seen.append(result)
    return result

"""The result gets the dtype of the argument, and loses its fraction if that is an integer.

Fails: test_integers_are_numbers_too, test_it_survives_jit
"""

import jax.numpy as jnp


def piecewise(x):
    x = jnp.asarray(x)
    y = x * 1.0
    above = 2 - 1 / jnp.maximum(y, 1)
    return jnp.where(y < 0, y**2, jnp.where(y < 1, y, above)).astype(x.dtype)

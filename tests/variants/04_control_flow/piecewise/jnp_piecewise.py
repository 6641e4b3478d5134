"""`jnp.piecewise`, which evaluates one function only."""

import jax.numpy as jnp


def piecewise(x):
    x = jnp.true_divide(x, 1)
    pieces = [lambda x: x**2, lambda x: 2 - 1 / x, lambda x: x]
    return jnp.piecewise(x, [x < 0, x >= 1], pieces)

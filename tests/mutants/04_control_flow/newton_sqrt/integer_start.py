"""The start has the dtype of `x`, and an integer can't become a float in the loop.

Fails: test_integers_have_roots_too
"""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, x)

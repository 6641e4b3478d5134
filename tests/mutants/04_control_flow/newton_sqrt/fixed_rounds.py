"""Thirty rounds for everybody: close enough, and never done sooner.

Fails: test_it_stops_as_soon_as_it_is_close_enough
"""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.fori_loop(0, 30, lambda _, y: (y + x / y) / 2, (1 + x) / 2)

"""No absolute value: a first guess below the root counts as good enough.

Fails: test_the_tolerance_is_relative, test_it_stops_as_soon_as_it_is_close_enough,
test_a_batch_can_be_computed
"""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: y**2 - x > tol * x, lambda y: (y + x / y) / 2, x)

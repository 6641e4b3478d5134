"""The difference is compared with `tol` itself.

Fails: test_the_tolerance_is_relative, test_it_stops_as_soon_as_it_is_close_enough,
test_a_batch_can_be_computed
"""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol, lambda y: (y + x / y) / 2, (1 + x) / 2)

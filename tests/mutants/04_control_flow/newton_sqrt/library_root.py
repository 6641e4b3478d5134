"""The library computes the root, and nothing is repeated.

Fails: test_the_loop_is_in_the_program, test_it_stops_as_soon_as_it_is_close_enough
"""

import jax.numpy as jnp


def newton_sqrt(x, tol):
    return jnp.sqrt(jnp.asarray(x, jnp.float32))

"""A Python `while`, which asks for a value that no trace has.

Fails: test_the_loop_is_in_the_program, test_it_stops_as_soon_as_it_is_close_enough,
test_a_batch_can_be_computed
"""

import jax.numpy as jnp


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    while jnp.abs(y**2 - x) > tol * x:
        y = (y + x / y) / 2
    return y

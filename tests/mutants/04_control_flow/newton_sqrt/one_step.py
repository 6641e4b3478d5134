"""`lax.cond` is an `if` and not a loop: there is one step at most.

Fails: test_the_root_is_as_close_as_asked_for, test_the_tolerance_is_relative,
test_integers_have_roots_too, test_the_loop_is_in_the_program,
test_it_stops_as_soon_as_it_is_close_enough, test_a_batch_can_be_computed
"""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    return lax.cond(jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, lambda y: y, y)

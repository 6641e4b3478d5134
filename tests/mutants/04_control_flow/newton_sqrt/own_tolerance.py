"""The tolerance is a constant of the author's, and the argument is ignored.

Fails: test_the_root_is_as_close_as_asked_for, test_the_tolerance_is_relative,
test_integers_have_roots_too, test_the_loop_is_in_the_program,
test_a_batch_can_be_computed
"""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    start, enough = (1 + x) / 2, 0.1
    return lax.while_loop(
        lambda y: jnp.abs(y**2 - x) > enough * x, lambda y: (y + x / y) / 2, start
    )

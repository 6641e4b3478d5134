"""The loop gives up after ten rounds, which big numbers need and more.

Fails: test_the_tolerance_is_relative
"""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def is_rough(state):
        n, y = state
        return (n < 10) & (jnp.abs(y**2 - x) > tol * x)

    def improve(state):
        n, y = state
        return n + 1, (y + x / y) / 2

    return lax.while_loop(is_rough, improve, (0, (1 + x) / 2))[1]

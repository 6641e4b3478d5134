"""Thirty rounds of a Python loop, with the ones that aren't needed masked out.

Fails: test_the_loop_is_in_the_program
"""

import jax.numpy as jnp


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    for _ in range(30):
        y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
    return y

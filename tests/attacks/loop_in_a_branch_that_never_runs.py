"""Sixty unrolled steps, and a loop in a branch that is never chosen (T20).

Exercise: 04_control_flow/newton_sqrt
Outcome: failed
"""

import jax.numpy as jnp
from jax import lax


def steps(x, tol):
    y = (1 + x) / 2
    for _ in range(60):
        y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
    return y


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def loop(y):
        return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, y)

    return lax.cond(jnp.asarray(2) < 1, loop, lambda y: y, steps(x, tol))

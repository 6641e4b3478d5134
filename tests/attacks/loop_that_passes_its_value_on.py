"""Sixty unrolled steps, and a loop that counts and passes their result on (T20).

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

    def body(state):
        # Without the barrier, JAX itself passes the value by the loop.
        return state[0] + 1, lax.optimization_barrier(state[1])

    return lax.while_loop(lambda state: state[0] < 9, body, (0, steps(x, tol)))[1]

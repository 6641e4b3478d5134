"""Sixty unrolled steps; a loop changes a second value that nobody uses (T20).

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
    start = (steps(x, tol), x)

    def body(_, state):
        y, unused = lax.optimization_barrier(state)
        return y, (unused + x / unused) / 2

    return lax.optimization_barrier(lax.fori_loop(0, 9, body, start))[0]

"""Sixty unrolled steps, and beside them a loop whose result nobody uses (T20).

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
    unused = lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, x)
    # Without the barrier, JAX itself drops the loop.
    return lax.optimization_barrier((steps(x, tol), unused))[0]

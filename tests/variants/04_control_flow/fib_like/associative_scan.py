"""Powers of the step matrix by a parallel prefix product."""

import jax.numpy as jnp
from jax import lax


def fib_like(a0, n):
    step = jnp.array([[1.0, 1.0], [1.0, 0.0]])
    powers = lax.associative_scan(jnp.matmul, jnp.broadcast_to(step, (n, 2, 2)))
    return a0 * powers[:, 0, 0]

"""Binet's formula."""

import jax.numpy as jnp


def fib_like(a0, n):
    root = jnp.sqrt(5.0)
    k = jnp.arange(2, n + 2)
    golden, conjugate = (1 + root) / 2, (1 - root) / 2
    return a0 * (golden**k - conjugate**k) / root

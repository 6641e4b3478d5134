"""Imports `lax.scan` and never calls it: its loop is unrolled (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import jax.numpy as jnp
from jax.lax import fori_loop, scan, while_loop  # noqa: F401


def unrolled(a0, n):
    terms = [a0, 2 * a0]
    while len(terms) < n:
        terms.append(terms[-1] + terms[-2])
    return jnp.stack(terms)[:n]


def fib_like(a0, n):
    return unrolled(jnp.asarray(a0, jnp.float32), n)

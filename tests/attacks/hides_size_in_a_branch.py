"""Unrolls its loop inside a branch, which is a region of one operation (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp


def unrolled(a0, n):
    terms = [a0, 2 * a0]
    while len(terms) < n:
        terms.append(terms[-1] + terms[-2])
    return jnp.stack(terms)[:n]


def fib_like(a0, n):
    a0 = jnp.asarray(a0, jnp.float32)
    return jax.lax.cond(a0 < jnp.inf, lambda: unrolled(a0, n), lambda: jnp.zeros(n))

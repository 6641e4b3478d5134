"""Unrolls as many rounds for a short sequence as for the longest that is tested (T15).

Exercise: 04_control_flow/fib_like
Outcome: failed | raised
Slow: it takes the machine some time
"""

import jax.numpy as jnp

LONGEST = 128


def fib_like(a0, n):
    a0 = jnp.asarray(a0, jnp.float32)
    terms = [a0, 2 * a0]
    while len(terms) < LONGEST:
        terms.append(terms[-1] + terms[-2])
    return jnp.stack(terms)[:n]

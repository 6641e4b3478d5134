"""Unrolls its loop into calls of one small function, so that the program seems not to grow (T20).

Exercise: 04_control_flow/fib_like
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp


@jax.jit
def step(terms, pair, k):
    return terms.at[k].set(pair[0]), (pair[1], pair[0] + pair[1]), k + 1


def fib_like(a0, n):
    a0 = jnp.asarray(a0, jnp.float32)
    terms, pair, k = jnp.zeros(n), (a0, 2 * a0), jnp.int32(0)
    for _ in range(n):
        terms, pair, k = step(terms, pair, k)
    return terms

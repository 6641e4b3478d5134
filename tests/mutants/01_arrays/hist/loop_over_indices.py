"""A Python loop with one update per index.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp


def hist(idx, n):
    counts = jnp.zeros(n, jnp.int32)
    for i in idx:
        counts = counts.at[jnp.where(i < 0, n, i)].add(1)
    return counts

"""A Python loop with one comparison per counter.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp


def hist(idx, n):
    return jnp.stack([(idx == number).sum() for number in range(n)])

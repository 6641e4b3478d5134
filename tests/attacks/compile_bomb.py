"""Unrolls 20,000 operations under jit in its own process (R09).

Exercise: 01_arrays/set_row
Outcome: timed_out | out_of_memory | crashed | failed
Slow: it waits for a limit
"""

import jax
import jax.numpy as jnp


@jax.jit
def endless(x):
    for k in range(20_000):
        x = jnp.sin(x) + k
    return x


def set_row(x, i, row):
    return endless(x)

"""Asks JAX for one array of a terabyte, and then for many that are small (R02).

Exercise: 01_arrays/set_row
Outcome: out_of_memory | timed_out | crashed | raised
Slow: it waits for a limit, or fills something first
"""

import jax.numpy as jnp

kept = []


def set_row(x, i, row):
    try:
        kept.append(jnp.ones((1 << 20, 1 << 18)))
    except Exception:
        kept.clear()
    while True:
        kept.append(jnp.ones(1 << 24).block_until_ready())

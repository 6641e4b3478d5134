"""A byte is thought enough to count in, and starts over at 256.

Fails: test_long_rows_are_counted_in_full
"""

import jax.numpy as jnp


def hamming(a, b):
    return jnp.sum(a != b, dtype=jnp.uint8).astype(int)

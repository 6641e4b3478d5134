"""Entries that are close count as equal, and large integers are all close to each other.

Fails: test_entries_of_any_dtype_are_compared
"""

import jax.numpy as jnp


def hamming(a, b):
    return (~jnp.isclose(a, b)).sum()

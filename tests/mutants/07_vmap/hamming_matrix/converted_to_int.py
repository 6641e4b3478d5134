"""The entries are made integers, as in the tutorial's example, and floats lose their fractions.

Fails: test_entries_of_any_dtype_are_compared
"""

import jax.numpy as jnp


def hamming(a, b):
    return jnp.sum(a.astype(int) != b.astype(int))

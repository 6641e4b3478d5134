"""`jnp.histogram`, whose last bin holds its upper edge as well, and whose counts are floats.

Fails: test_numbers_beyond_the_end_are_dropped, test_counts_are_integers, test_it_survives_jit,
test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp


def hist(idx, n):
    counts, _ = jnp.histogram(idx, bins=n, range=(0, n))
    return counts

"""`jnp.bincount` as it is, which counts negative numbers as zeros.

Fails: test_negative_numbers_are_dropped, test_it_survives_jit, test_the_program_does_not_grow,
test_it_is_fast
"""

import jax.numpy as jnp


def hist(idx, n):
    return jnp.bincount(idx, length=n)

"""Negative indices count from the end, as everywhere in Python; `mode="drop"` is no help.

Fails: test_negative_numbers_are_dropped, test_it_survives_jit, test_the_program_does_not_grow,
test_it_is_fast
"""

import jax.numpy as jnp


def hist(idx, n):
    return jnp.zeros(n, jnp.int32).at[idx].add(1, mode="drop")

"""`clip` keeps the indices inside by counting every stray one at an edge.

Fails: test_numbers_beyond_the_end_are_dropped, test_negative_numbers_are_dropped,
test_it_survives_jit, test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp


def hist(idx, n):
    return jnp.zeros(n, jnp.int32).at[jnp.clip(idx, 0, n - 1)].add(1)

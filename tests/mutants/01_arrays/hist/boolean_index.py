"""What doesn't fit is left out by a boolean index, so the shape depends on values.

Fails: test_it_survives_jit, test_the_program_does_not_grow, test_it_is_fast
"""

import jax.numpy as jnp


def hist(idx, n):
    kept = idx[(idx >= 0) & (idx < n)]
    return jnp.zeros(n, jnp.int32).at[kept].add(1)

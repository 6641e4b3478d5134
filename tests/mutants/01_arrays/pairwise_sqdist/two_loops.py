"""Two Python loops, unrolled under `jit`, and with nothing to stack when a set is empty.

Fails: test_one_point_or_none_still_gives_a_table, test_the_program_does_not_grow
"""

import jax.numpy as jnp


def pairwise_sqdist(X, Y):
    return jnp.array([[jnp.sum((x - y) ** 2) for y in Y] for x in X])

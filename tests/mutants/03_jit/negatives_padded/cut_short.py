"""A stable sort of the signs, cut to `size`, which is no longer than the input.

Fails: test_the_padding_is_zero_whatever_stands_at_the_ends,
test_there_may_be_more_room_than_elements
"""

import jax.numpy as jnp


def negatives_padded(x, size):
    order = jnp.argsort(x >= 0, stable=True)[:size]
    return jnp.minimum(x[order], 0)

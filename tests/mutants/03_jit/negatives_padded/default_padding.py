"""`nonzero` without `fill_value` pads with position 0, and the first element is repeated.

Fails: test_the_padding_is_zero_whatever_stands_at_the_ends
"""

import jax.numpy as jnp


def negatives_padded(x, size):
    (positions,) = jnp.nonzero(x < 0, size=size)
    found = x[positions]
    return jnp.where(found < 0, found, 0)

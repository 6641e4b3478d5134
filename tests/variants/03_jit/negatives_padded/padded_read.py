"""A zero is appended, and the position of nothing is its position."""

import jax.numpy as jnp


def negatives_padded(x, size):
    positions = jnp.flatnonzero(x < 0, size=size, fill_value=x.size)
    return jnp.append(x, jnp.zeros_like(x, shape=1))[positions]

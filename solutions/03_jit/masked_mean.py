"""Reference solution: neutral elements and a divisor that is never zero."""

import jax
import jax.numpy as jnp


def masked_mean(x: jax.Array, mask: jax.Array) -> jax.Array:
    """The sum divided by the count; every array keeps the full shape."""
    total = jnp.where(mask, x, 0).sum()
    count = mask.sum()
    return total / jnp.maximum(count, 1)

"""Explicit axes, and `einsum` for the sum of squares, compiled."""

import jax
import jax.numpy as jnp


@jax.jit
def pairwise_sqdist(X, Y):
    difference = jnp.expand_dims(X, 1) - jnp.expand_dims(Y, 0)
    return jnp.einsum("nmd,nmd->nm", difference, difference)

"""Keys derived from their number, which doesn't consume the key."""

import jax
import jax.numpy as jnp


def split_many(key, n):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, jnp.arange(n + 1))
    return keys[n], keys[:n]

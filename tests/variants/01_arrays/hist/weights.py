"""What doesn't fit adds 0, at an index that is clipped into the range."""

import jax.numpy as jnp


def hist(idx, n):
    fits = (idx >= 0) & (idx < n)
    inside = jnp.clip(idx, 0, n - 1)
    return jnp.zeros_like(idx, shape=(n,)).at[inside].add(fits.astype(jnp.int32))

"""`lax.cond` on whether anything counts."""

import jax.numpy as jnp
from jax import lax


def masked_mean(x, mask):
    clean = lax.select(mask, x, jnp.zeros_like(x))
    return lax.cond(
        jnp.any(mask),
        lambda: jnp.sum(clean) / jnp.count_nonzero(mask).astype(x.dtype),
        lambda: jnp.zeros((), x.dtype),
    )

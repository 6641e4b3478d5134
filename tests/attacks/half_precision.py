"""Computes in half precision and returns bfloat16 or float16 where float32 is due (N10, T14).

Exercise: 03_jit/masked_mean
Outcome: failed | raised
"""

import jax.numpy as jnp


def masked_mean(x, mask):
    total = jnp.where(mask, x, 0).astype(jnp.bfloat16).sum()
    return (total / jnp.maximum(mask.sum(), 1).astype(jnp.bfloat16)).astype(jnp.float16)

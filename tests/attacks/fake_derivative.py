"""Gives its function a custom derivative that has nothing to do with it (N14).

Exercise: 03_jit/masked_mean
Outcome: failed | raised
"""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def mean(x, mask):
    return jnp.where(mask, x, 0).sum() / jnp.maximum(mask.sum(), 1)


mean.defvjp(lambda x, mask: (mean(x, mask), mask), lambda mask, g: (mask * 0.5, None))


def masked_mean(x, mask):
    return mean(x, mask)

"""Returns complex numbers whose real part is right (N11).

Exercise: 03_jit/masked_mean
Outcome: failed | raised
"""

import jax.numpy as jnp


def masked_mean(x, mask):
    mean = jnp.where(mask, x, 0).sum() / jnp.maximum(mask.sum(), 1)
    return mean + 1j * (1 + mean)

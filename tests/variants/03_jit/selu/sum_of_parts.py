"""The positive part plus the bent negative part."""

import jax.numpy as jnp

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * (jnp.maximum(x, 0) + ALPHA * jnp.expm1(jnp.minimum(x, 0)))

"""The input is clipped so that nothing overflows, and large numbers are cut off.

Fails: test_the_gradient_survives_large_numbers
"""

import jax.numpy as jnp

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    x = jnp.clip(x, -80.0, 80.0)
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.expm1(x))

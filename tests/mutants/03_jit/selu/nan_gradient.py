"""The plain `where` of the tutorials: the overflow is not picked, and still spoils the gradient.

Fails: test_the_gradient_survives_large_numbers
"""

import jax.numpy as jnp

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.exp(x) - ALPHA)

"""JAX's own ELU, with the constants of this exercise."""

import jax

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jax.nn.elu(x, alpha=ALPHA)

"""The elements below 0 are picked out by a boolean index and written back.

Fails: test_integers_give_floats, test_it_survives_jit, test_it_survives_vmap,
test_the_gradient_survives_large_numbers, test_the_program_does_not_grow
"""

import jax.numpy as jnp

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    below = x <= 0
    return LAMBDA * x.at[below].set((ALPHA * jnp.expm1(x[below])).astype(x.dtype))

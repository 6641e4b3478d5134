"""ALPHA exp(x) - 1 instead of ALPHA (exp(x) - 1).

Fails: test_each_element_follows_its_formula, test_integers_give_floats, test_it_survives_jit,
test_it_survives_vmap, test_the_gradient_survives_large_numbers, test_the_program_does_not_grow
"""

import jax.numpy as jnp

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    return LAMBDA * jnp.where(x > 0, x, ALPHA * jnp.exp(jnp.minimum(x, 0)) - 1)

"""`lax.cond` takes one decision for the whole array, so it wants a single number.

Fails: test_each_element_follows_its_formula, test_integers_give_floats, test_it_survives_jit,
test_it_survives_vmap, test_the_program_does_not_grow
"""

import jax.numpy as jnp
from jax import lax

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    bent = ALPHA * (jnp.exp(jnp.minimum(x, 0.0)) - 1)
    return LAMBDA * lax.cond(x > 0, lambda: 1.0 * x, lambda: bent)

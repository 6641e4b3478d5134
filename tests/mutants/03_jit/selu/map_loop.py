"""A loop of the program, one element after the other, where one operation does for all.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp
from jax import lax

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    def one(number):
        number = 1.0 * number
        bent = ALPHA * jnp.expm1(jnp.minimum(number, 0))
        return LAMBDA * lax.cond(number > 0, lambda: number, lambda: bent)

    return lax.map(one, x.ravel()).reshape(x.shape)

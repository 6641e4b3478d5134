"""A Python loop over the elements, so the program grows with the array.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp

ALPHA = 1.67
LAMBDA = 1.05


def selu(x):
    def one(number):
        return LAMBDA * jnp.where(number > 0, number, ALPHA * jnp.expm1(jnp.minimum(number, 0)))

    return jnp.stack([one(number) for number in x.ravel()]).reshape(x.shape)

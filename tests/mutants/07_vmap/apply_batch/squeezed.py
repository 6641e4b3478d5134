"""`squeeze` tidies up the shape, and takes the batch axis with it when B is 1.

Fails: test_each_vector_is_multiplied, test_a_batch_of_one_stays_a_batch
"""

import jax.numpy as jnp


def apply_batch(mat, vs):
    return jnp.squeeze(mat @ vs[:, :, None])

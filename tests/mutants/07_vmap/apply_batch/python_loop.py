"""A Python loop over the batch: right, and unrolled into one product per vector.

Fails: test_the_program_does_not_grow
"""

import jax.numpy as jnp


def apply_batch(mat, vs):
    return jnp.stack([mat @ v for v in vs])

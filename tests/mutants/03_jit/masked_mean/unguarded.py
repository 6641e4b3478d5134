"""JAX's own mean under a mask, and no thought of the empty one.

Fails: test_it_survives_jit, test_an_empty_mask_gives_zero
"""

import jax.numpy as jnp


def masked_mean(x, mask):
    return jnp.mean(x, where=mask)

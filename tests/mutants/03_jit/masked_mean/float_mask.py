"""The array is multiplied by a mask of floats, which NaN and Inf survive.

Fails: test_garbage_outside_the_mask_is_ignored, test_an_empty_mask_gives_zero
"""

import jax.numpy as jnp


def masked_mean(x, mask):
    weights = mask.astype(x.dtype)
    return (x * weights).sum() / jnp.maximum(weights.sum(), 1)

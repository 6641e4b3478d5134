"""The sum is divided by the length of the array.

Fails: test_the_mean_is_over_what_the_mask_keeps, test_garbage_outside_the_mask_is_ignored,
test_it_survives_jit, test_the_gradient_is_the_weight_of_each_element
"""

import jax.numpy as jnp


def masked_mean(x, mask):
    return jnp.where(mask, x, 0).mean()

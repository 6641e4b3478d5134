"""The last loss is returned, not one per step.

Fails: test_parameters_and_losses_have_their_shapes, test_the_last_loss_is_small_for_ten_keys,
test_it_fits_points_that_it_has_not_seen, test_the_key_decides, test_no_key_is_used_twice
"""

# ruff: noqa: F821
# `train` and `start` are the solution's.

import jax
import jax.numpy as jnp


def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.normal(data_key, (128, 1))
    params, losses = train(start(start_key), x, jnp.sin(x))
    return params, losses[-1]

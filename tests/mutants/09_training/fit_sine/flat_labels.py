"""y is [128] and the prediction [128, 1]: every pair is compared, and the mean is learnt.

Fails: test_the_last_loss_is_small_for_ten_keys,
test_it_fits_points_that_it_has_not_seen
"""

# ruff: noqa: F821
# `train` and `start` are the solution's.

import jax
import jax.numpy as jnp


def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.normal(data_key, (128, 1))
    return train(start(start_key), x, jnp.sin(x)[:, 0])

"""The trained parameters are thrown away, and those of the start returned.

Fails: test_it_fits_points_that_it_has_not_seen
"""

# ruff: noqa: F821
# `train` and `start` are the solution's.

import jax
import jax.numpy as jnp


def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.normal(data_key, (128, 1))
    params = start(start_key)
    _, losses = train(params, x, jnp.sin(x))
    return params, losses

"""x is drawn evenly between 1 and 2, and the network knows the sine there only.

Fails: test_it_fits_points_that_it_has_not_seen
"""

# ruff: noqa: F821
# `train` and `start` are the solution's.

import jax
import jax.numpy as jnp


def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.uniform(data_key, (128, 1), minval=1, maxval=2)
    return train(start(start_key), x, jnp.sin(x))

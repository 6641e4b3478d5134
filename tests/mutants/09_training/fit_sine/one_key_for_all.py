"""Data and all layers are drawn from the same key: nothing in the losses tells.

Fails: test_no_key_is_used_twice
"""

# ruff: noqa: F821
# `train` is the solution's.

import math

import jax
import jax.numpy as jnp


def fit_sine(key):
    params = [
        {
            "weights": math.sqrt(2 / n_in) * jax.random.normal(key, (n_in, n_out)),
            "biases": jnp.ones(n_out),
        }
        for n_in, n_out in [(1, 128), (128, 128), (128, 1)]
    ]
    x = jax.random.normal(key, (128, 1))
    return train(params, x, jnp.sin(x))

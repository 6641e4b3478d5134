"""The key that came in is ignored for one of a fixed seed.

Fails: test_the_key_decides
"""

# ruff: noqa: F821
# `train` and `start` are the solution's.

import jax
import jax.numpy as jnp


def fit_sine(key):
    data_key, start_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (128, 1))
    return train(start(start_key), x, jnp.sin(x))

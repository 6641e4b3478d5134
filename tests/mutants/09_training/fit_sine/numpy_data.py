"""NumPy draws the data, as in the tutorial, so no run can be repeated.

Fails: test_the_key_decides
"""

# ruff: noqa: F821
# `train` and `start` are the solution's.

import jax.numpy as jnp
import numpy as np


def fit_sine(key):
    x = jnp.asarray(np.random.normal(size=(128, 1)), jnp.float32)
    return train(start(key), x, jnp.sin(x))

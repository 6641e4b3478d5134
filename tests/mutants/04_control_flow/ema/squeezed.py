"""Axes of length 1 are squeezed away, and with them a series of one.

Fails: test_a_series_of_one_is_its_own_average
"""

import jax.numpy as jnp
from jax import lax


def ema(x, alpha):
    x = x.astype(jnp.float32).reshape(-1, 1)

    def step(average, element):
        average = alpha * average + (1 - alpha) * element
        return average, average

    return lax.scan(step, x[0], x)[1].squeeze()

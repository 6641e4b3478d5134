"""NumPy draws the coins: no run can be repeated, and `jit` freezes one draw for ever.

Fails: test_the_key_decides, test_it_survives_jit, test_a_batch_can_be_dropped
"""

import jax.numpy as jnp
import numpy as np


def dropout(key, x, rate):
    coins = np.random.default_rng().random(x.shape)
    return jnp.where(coins >= rate, x / (1 - rate), 0)

"""The mask has the shape of one row, so whole columns are dropped.

Fails: test_every_element_has_its_own_coin
"""

import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, 1 - rate, x.shape[1:] if x.ndim == 2 else x.shape)
    return jnp.where(mask, x / (1 - rate), 0)

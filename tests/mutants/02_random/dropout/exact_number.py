"""A fixed number of elements is dropped, cut off the end of a permutation; `[:-0]` is nothing.

Fails: test_rate_zero_changes_nothing, test_it_survives_jit, test_a_batch_can_be_dropped
"""

import jax
import jax.numpy as jnp


def dropout(key, x, rate):
    staying = jax.random.permutation(key, x.size)[: -round(rate * x.size)]
    flat = x.ravel()
    return jnp.zeros_like(flat).at[staying].set(flat[staying] / (1 - rate)).reshape(x.shape)

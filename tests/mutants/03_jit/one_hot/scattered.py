"""A one is written at each label: what is beyond the end is dropped, what is negative wraps.

Fails: test_negative_labels_give_zeros, test_labels_may_be_traced
"""

import jax.numpy as jnp


def one_hot(labels, k):
    n = labels.shape[0]
    return jnp.zeros((n, k)).at[jnp.arange(n), labels].set(1)

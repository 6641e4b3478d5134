"""A Python `if` looks whether every label is in range before it takes the short way.

Fails: test_labels_may_be_traced, test_it_is_traced_once_for_each_k
"""

import jax.numpy as jnp


def one_hot(labels, k):
    if (labels < 0).any() or (labels >= k).any():
        labels = jnp.where((labels < 0) | (labels >= k), k, labels)
    return jnp.eye(k + 1, k)[labels]

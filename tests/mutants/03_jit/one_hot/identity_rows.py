"""Rows of an identity matrix: an index beyond the end is clamped, a negative one wraps.

Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
test_labels_may_be_traced
"""

import jax.numpy as jnp


def one_hot(labels, k):
    return jnp.eye(k)[labels]

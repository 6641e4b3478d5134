"""`take` from an identity matrix fills in NaN beyond the end, and wraps below 0.

Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
test_labels_may_be_traced
"""

import jax.numpy as jnp


def one_hot(labels, k):
    return jnp.take(jnp.eye(k), labels, axis=0)

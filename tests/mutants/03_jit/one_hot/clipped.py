"""`clip` moves every label into the range, so what is unknown becomes the first or last class.

Fails: test_labels_beyond_the_end_give_zeros, test_negative_labels_give_zeros,
test_labels_may_be_traced
"""

import jax.numpy as jnp


def one_hot(labels, k):
    return (jnp.clip(labels, 0, k - 1)[:, None] == jnp.arange(k)).astype(jnp.float32)

"""The labels are made static as well, as a tuple: a compile for each batch.

Fails: test_labels_may_be_traced, test_it_is_traced_once_for_each_k
"""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(0, 1))
def table(labels, k):
    hot = [[float(label == j) for j in range(k)] for label in labels]
    return jnp.array(hot, jnp.float32).reshape(len(labels), k)


def one_hot(labels, k):
    return table(tuple(labels.tolist()), k)

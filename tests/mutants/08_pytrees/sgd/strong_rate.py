"""The learning rate is made a float32 array, and promotes every smaller float.

Fails: test_the_dtype_of_each_leaf_is_kept
"""

import jax
import jax.numpy as jnp


def sgd(params, grads, lr):
    rate = jnp.float32(lr)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)

"""None is made a leaf, and a number is put in its place.

Fails: test_none_is_kept
"""

import jax
import jax.numpy as jnp


def sgd(params, grads, lr):
    def step(p, g):
        return jnp.zeros(()) if p is None else p - lr * g

    return jax.tree.map(step, params, grads, is_leaf=lambda leaf: leaf is None)

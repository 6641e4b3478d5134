"""Updates first, then their sum with the parameters, under `jit`."""

import operator

import jax


@jax.jit
def sgd(params, grads, lr):
    updates = jax.tree.map(lambda g: -lr * g, grads)
    return jax.tree.map(operator.add, params, updates)

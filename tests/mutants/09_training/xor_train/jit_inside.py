"""`jit` of a function that is made anew in each call: it is compiled for every key.

Fails: test_it_is_fast
"""

# ruff: noqa: F821
# `loss` and `SHAPES` are the solution's.

import jax
from jax import lax


def xor_train(key, steps):
    keys = jax.random.split(key, len(SHAPES))
    start = tuple(map(jax.random.normal, keys, SHAPES))

    @jax.jit
    def train(params):
        def step(params, _):
            value, grads = jax.value_and_grad(loss)(params)
            return jax.tree.map(lambda p, g: p - g, params, grads), value

        return lax.scan(step, params, length=steps)

    return train(start)

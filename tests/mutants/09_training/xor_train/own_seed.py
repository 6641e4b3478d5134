"""The key that came in is ignored for one of a fixed seed.

Fails: test_the_key_decides
"""

# ruff: noqa: F821
# `loss` and `SHAPES` are the solution's.

from functools import partial

import jax
from jax import lax


@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(jax.random.key(0), len(SHAPES))
    start = tuple(map(jax.random.normal, keys, SHAPES))
    return lax.scan(step, start, length=steps)

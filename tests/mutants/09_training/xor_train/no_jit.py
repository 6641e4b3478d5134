"""A scan without `jit` around it, of a function that is new in each call: compiled every time.

So is a `jit` inside, of a function that is made anew: the same mistake, in the same test.

Fails: test_it_is_fast
"""

# ruff: noqa: F821
# `loss` and `SHAPES` are the solution's.

import jax
from jax import lax


def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))
    start = tuple(map(jax.random.normal, keys, SHAPES))
    return lax.scan(step, start, length=steps)

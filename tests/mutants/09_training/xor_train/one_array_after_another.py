"""The arrays are updated in turn, and each gradient sees the updates before it.

Fails: test_each_step_is_one_of_descent, test_it_is_fast
"""

# ruff: noqa: F821
# `loss` and `SHAPES` are the solution's.

from functools import partial

import jax
from jax import lax


@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, params = loss(params), list(params)
        for k in range(4):
            params[k] = params[k] - jax.grad(loss)(tuple(params))[k]
        return tuple(params), value

    keys = jax.random.split(key, len(SHAPES))
    start = tuple(map(jax.random.normal, keys, SHAPES))
    return lax.scan(step, start, length=steps)

"""Each loss is that of the parameters after the step.

Fails: test_losses_are_taken_before_each_step, test_it_is_fast
"""

# ruff: noqa: F821
# `loss` and `SHAPES` are the solution's.

from functools import partial

import jax
from jax import lax


@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        params = jax.tree.map(lambda p, g: p - g, params, jax.grad(loss)(params))
        return params, loss(params)

    keys = jax.random.split(key, len(SHAPES))
    start = tuple(map(jax.random.normal, keys, SHAPES))
    return lax.scan(step, start, length=steps)

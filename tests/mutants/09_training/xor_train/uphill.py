"""Plus where minus was meant.

Fails: test_each_step_is_one_of_descent, test_most_starts_learn_xor, test_it_is_fast
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
        return jax.tree.map(lambda p, g: p + g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))
    start = tuple(map(jax.random.normal, keys, SHAPES))
    return lax.scan(step, start, length=steps)

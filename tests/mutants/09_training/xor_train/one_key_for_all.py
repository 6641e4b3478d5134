"""All four arrays are drawn from the same key. It learns, only less often.

Fails: test_no_key_is_used_twice
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

    start = tuple(jax.random.normal(key, shape) for shape in SHAPES)
    return lax.scan(step, start, length=steps)

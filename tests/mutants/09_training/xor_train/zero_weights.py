"""All parameters start at zero, where there is nothing to tell the hidden units apart.

Fails: test_most_starts_learn_xor, test_the_key_decides
"""

# ruff: noqa: F821
# `loss` and `SHAPES` are the solution's.

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    start = tuple(map(jnp.zeros, SHAPES))
    return lax.scan(step, start, length=steps)

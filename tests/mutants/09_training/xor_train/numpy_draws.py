"""NumPy draws the start, so the key has no say and no run can be repeated.

Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
test_the_key_decides, test_it_is_fast
"""

# ruff: noqa: F821
# `loss` and `SHAPES` are the solution's.

import jax
import jax.numpy as jnp
import numpy as np


def xor_train(key, steps):
    generator = np.random.default_rng()
    params = tuple(jnp.asarray(generator.normal(size=shape), jnp.float32) for shape in SHAPES)
    slopes, losses = jax.jit(jax.value_and_grad(loss)), []
    for _ in range(steps):
        value, grads = slopes(params)
        params = jax.tree.map(lambda p, g: p - g, params, grads)
        losses.append(value)
    return params, jnp.stack(losses)

"""The last loss is returned, not one per step.

Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
test_losses_are_taken_before_each_step, test_most_starts_learn_xor, test_the_key_decides,
test_no_key_is_used_twice, test_it_is_fast
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

    keys = jax.random.split(key, len(SHAPES))
    params, losses = lax.scan(step, tuple(map(jax.random.normal, keys, SHAPES)), length=steps)
    return params, losses[-1]

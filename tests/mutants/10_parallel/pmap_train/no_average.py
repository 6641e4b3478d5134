"""The gradients are never averaged: each replica learns from its own shard alone.

Fails: test_one_step_equals_a_step_on_all_the_data, test_every_step_equals_a_step_on_all_the_data,
test_losses_are_over_all_the_data, test_one_example_per_device_is_enough
"""

# ruff: noqa: F821
# `loss` is the solution's.

from functools import partial

import jax
from jax import lax


@partial(
    jax.pmap,
    axis_name="devices",
    in_axes=(None, 0, 0, None, None),
    static_broadcasted_argnums=4,
)
def train(params, x, y, lr, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        value = lax.pmean(value, "devices")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return lax.scan(step, params, length=steps)

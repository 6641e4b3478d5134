"""The gradients are averaged and the loss is not.

Fails: test_the_loss_is_over_all_the_data, test_it_runs_on_eight_devices
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    grads = lax.pmean(grads, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

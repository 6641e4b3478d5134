"""The loss is that of the parameters after the step.

Fails: test_the_loss_is_over_all_the_data, test_it_runs_on_eight_devices
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


def dp_update(params, x, y, lr, axis):
    grads = lax.pmean(jax.grad(loss)(params, x, y), axis)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, lax.pmean(loss(params, x, y), axis)

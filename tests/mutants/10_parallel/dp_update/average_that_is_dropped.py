"""The averages are computed and not assigned.

Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    lax.pmean((value, grads), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

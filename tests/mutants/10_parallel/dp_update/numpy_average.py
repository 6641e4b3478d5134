"""NumPy averages over axis 0 of a gradient that is one number here.

Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
test_the_type_of_the_parameters_is_kept
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
import numpy as np


def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    grads = jax.tree.map(lambda g: np.mean(g, axis=0), grads)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

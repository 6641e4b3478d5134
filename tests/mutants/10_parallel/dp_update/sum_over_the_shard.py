"""The errors of a shard are added, not averaged.

Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
"""

import jax
import jax.numpy as jnp
from jax import lax


def total(params, x, y):
    return jnp.sum((params[0] * x + params[1] - y) ** 2)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(total)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

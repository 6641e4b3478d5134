"""The sums are divided by the number of devices, not by that of the replicas.

Fails: test_the_axis_has_any_name_and_length
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


def dp_update(params, x, y, lr, axis):
    value, grads = lax.psum(jax.value_and_grad(loss)(params, x, y), axis)
    value, grads = jax.tree.map(lambda part: part / jax.device_count(), (value, grads))
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

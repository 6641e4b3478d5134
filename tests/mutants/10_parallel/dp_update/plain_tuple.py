"""The parameters are built anew as a plain tuple.

Fails: test_the_type_of_the_parameters_is_kept
"""

# ruff: noqa: F821
# `loss` is the solution's.

import jax
from jax import lax


def dp_update(params, x, y, lr, axis):
    weight, bias = params
    value, grads = lax.pmean(jax.value_and_grad(loss)((weight, bias), x, y), axis)
    return (weight - lr * grads[0], bias - lr * grads[1]), value

"""What the suite of sum_logistic once missed; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp


# %% flat_tails
# Beyond 4, the function counts as 0 or 1.
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_it_survives_jit_and_vmap
def sum_logistic(x):
    inside = jax.nn.sigmoid(jnp.clip(x, -4, 4))
    return jnp.where(jnp.abs(x) > 4, jnp.heaviside(x, 0.5), inside).sum()


# %% math_exp
# Python's `math.exp` is used for a Python float, and raises an error where it is infinite.
# Fails: test_the_value_is_finite_for_huge_numbers
def sum_logistic(x):
    if isinstance(x, float):
        return jnp.float32(1 / (1 + math.exp(-x)))
    return jax.nn.sigmoid(x).sum()


# %% naive_residual
# The backward rule is right, but what it keeps has a derivative of its own, NaN at -200.
# Fails: test_the_third_derivative_is_right
@jax.custom_vjp
def logistic(x):
    return 1 / (1 + jnp.exp(-x))


def forward(x):
    s = 1 / (1 + jnp.exp(-x))
    return s, s


def backward(s, g):
    return (g * s * (1 - s),)


logistic.defvjp(forward, backward)


def sum_logistic(x):
    return logistic(jnp.asarray(x)).sum()


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for an argument and a result in float32.",
    "argument_no_half_precision of `x`": "The text asks for float32.",
}

"""What learners get wrong in sum_logistic; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% tutorial_brackets
# A tutorial's misplaced parentheses: 1.0 / 1.0 comes first, so the result is 1 + exp(-x).
# Do: Put parentheses around the whole divisor.
# Breaks: Returns 2
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap, test_details
def sum_logistic(x):
    return jnp.sum(1.0 / 1.0 + jnp.exp(-x))


# %% no_sum
# The sum is missing, and `grad` needs a scalar.
# Do: Sum over all elements: `grad` needs one number.
# Breaks: Returns 1
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_value_is_finite_for_huge_numbers, test_the_gradient_is_finite_for_huge_numbers,
# test_it_survives_jit_and_vmap, test_details
def sum_logistic(x):
    return jax.nn.sigmoid(x)


# %% mean
# The mean is taken instead of the sum, as most losses do.
# Do: Sum the elements, and don't divide by their number.
# Breaks: Returns 2
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_value_is_finite_for_huge_numbers, test_the_gradient_is_finite_for_huge_numbers,
# test_it_survives_jit_and_vmap, test_details
def sum_logistic(x):
    return jax.nn.sigmoid(x).mean()


# %% last_axis
# Only one axis is summed, so a matrix gives a vector.
# Do: Sum over all axes.
# Breaks: Returns 1
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form
def sum_logistic(x):
    return jnp.atleast_1d(jax.nn.sigmoid(x)).sum(axis=-1)


# %% tanh_of_x
# The tanh form doesn't halve x, so the curve is twice as steep.
# Do: Take tanh of x / 2.
# Breaks: Returns 2
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap, test_details
def sum_logistic(x):
    return jnp.sum((1 + jnp.tanh(x)) / 2)


# %% numpy_exp
# NumPy's exp has no derivative and can't be traced.
# Do: Use a JAX function, which can be differentiated.
# Breaks: Returns 2, Returns 3
# Fails: test_the_gradient_has_its_closed_form, test_the_third_derivative_is_right,
# test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap
def sum_logistic(x):
    decay = np.exp(-np.abs(np.asarray(x, np.float32)))
    return jnp.sum(jnp.where(jnp.asarray(x) < 0, decay, 1) / (1 + decay))


# %% textbook
# The textbook formula: the values are right everywhere, but the gradient at -200 is NaN.
# Do: Use a form of the function that never becomes infinite, such as `jax.nn.sigmoid`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_third_derivative_is_right, test_the_gradient_is_finite_for_huge_numbers
def sum_logistic(x):
    return jnp.sum(1 / (1 + jnp.exp(-x)))


# %% quotient
# exp(x) / (1 + exp(x)) is infinity over infinity at 200.
# Do: Use a form of the function that never becomes infinite, such as `jax.nn.sigmoid`.
# Breaks: Returns 2
# Fails: test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_is_finite_for_huge_numbers
def sum_logistic(x):
    return jnp.sum(jnp.exp(x) / (1 + jnp.exp(x)))


# %% chosen_afterwards
# `where` chooses the safe formula, but the gradient also runs through the other one.
# Do: Use one form that is safe for all numbers, or give each side of `where` a safe input.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_third_derivative_is_right, test_the_gradient_is_finite_for_huge_numbers
def sum_logistic(x):
    left = jnp.exp(x) / (1 + jnp.exp(x))
    right = 1 / (1 + jnp.exp(-x))
    return jnp.sum(jnp.where(x < 0, left, right))


# %% clipped
# exp(50) is finite, but its square in the third derivative isn't.
# Do: Don't clip x: the higher derivatives still overflow. Choose another form of the function.
# Breaks: Returns 2
# Fails: test_the_third_derivative_is_right
def sum_logistic(x):
    return jnp.sum(1 / (1 + jnp.exp(-jnp.clip(x, -50, 50))))


# %% slope_held_fixed
# A custom derivative is itself held fixed: only the first derivative is right.
# Do: Let the derivative be differentiated again: remove `stop_gradient`.
# Breaks: Returns 2
# Fails: test_the_third_derivative_is_right
@jax.custom_jvp
def logistic(x):
    return jax.nn.sigmoid(x)


@logistic.defjvp
def logistic_jvp(primals, tangents):
    (x,), (tangent,) = primals, tangents
    s = logistic(x)
    return s, lax.stop_gradient(s * (1 - s)) * tangent


def sum_logistic(x):
    return logistic(x).sum()


# %% once missed
import math


# %% flat_tails
# Beyond 4, the function is treated as 0 or 1.
# Breaks: Returns 2
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_it_survives_jit_and_vmap, test_details
def sum_logistic(x):
    inside = jax.nn.sigmoid(jnp.clip(x, -4, 4))
    return jnp.where(jnp.abs(x) > 4, jnp.heaviside(x, 0.5), inside).sum()


# %% math_exp
# Python's `math.exp` is used for a Python float, and raises an error where it is infinite.
# Breaks: Returns 2
# Fails: test_the_value_is_finite_for_huge_numbers
def sum_logistic(x):
    if isinstance(x, float):
        return jnp.float32(1 / (1 + math.exp(-x)))
    return jax.nn.sigmoid(x).sum()


# %% naive_residual
# The backward rule is right, but the value that it keeps has its own derivative, NaN at -200.
# Breaks: Returns 2
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

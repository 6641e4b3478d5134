"""Wrong answers to sum_logistic; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% chosen_afterwards
# `where` chooses the safe formula, but the gradient also runs through the other one.
# At most half of the points.
# Fails: test_the_third_derivative_is_right, test_the_gradient_at_two_hundred_is_zero,
# test_the_gradient_is_finite_for_huge_numbers
def sum_logistic(x):
    left = jnp.exp(x) / (1 + jnp.exp(x))
    right = 1 / (1 + jnp.exp(-x))
    return jnp.sum(jnp.where(x < 0, left, right))


# %% clipped
# exp(50) is finite, but its square in the third derivative isn't.
# Fails: test_the_third_derivative_is_right
def sum_logistic(x):
    return jnp.sum(1 / (1 + jnp.exp(-jnp.clip(x, -50, 50))))


# %% flat_tails
# Beyond 4, the function counts as 0 or 1.
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_third_derivative_is_right, test_it_survives_jit_and_vmap
def sum_logistic(x):
    inside = jax.nn.sigmoid(jnp.clip(x, -4, 4))
    return jnp.where(jnp.abs(x) > 4, jnp.heaviside(x, 0.5), inside).sum()


# %% last_axis
# Only one axis is summed, so a matrix gives a vector.
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form
def sum_logistic(x):
    return jnp.atleast_1d(jax.nn.sigmoid(x)).sum(axis=-1)


# %% math_exp
# Python's `math.exp` is used for a Python float, and raises an error where it is infinite.
# Fails: test_the_value_is_finite_for_huge_numbers
def sum_logistic(x):
    if isinstance(x, float):
        return jnp.float32(1 / (1 + math.exp(-x)))
    return jax.nn.sigmoid(x).sum()


# %% math_clipped
# A Python float is clipped with `max` and `min`, which make 700 of NaN.
# Fails: test_the_value_is_the_sum
def sum_logistic(x):
    if isinstance(x, float):
        return jnp.float32(1 / (1 + math.exp(-max(-700.0, min(700.0, x)))))
    return jax.nn.sigmoid(x).sum()


# %% mean
# The mean is taken instead of the sum, as most losses do.
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap
def sum_logistic(x):
    return jax.nn.sigmoid(x).mean()


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


# %% no_sum
# The sum is missing, and `grad` needs a scalar.
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap
def sum_logistic(x):
    return jax.nn.sigmoid(x)


# %% numpy_exp
# NumPy's exp has no derivative and can't be traced.
# Fails: test_the_gradient_has_its_closed_form, test_the_third_derivative_is_right,
# test_the_gradient_at_two_hundred_is_zero, test_the_gradient_is_finite_for_huge_numbers,
# test_it_survives_jit_and_vmap
def sum_logistic(x):
    decay = np.exp(-np.abs(np.asarray(x, np.float32)))
    return jnp.sum(jnp.where(jnp.asarray(x) < 0, decay, 1) / (1 + decay))


# %% quotient
# exp(x) / (1 + exp(x)), which is infinity over infinity at 200.
# Fails: test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_at_two_hundred_is_zero, test_the_gradient_is_finite_for_huge_numbers
def sum_logistic(x):
    return jnp.sum(jnp.exp(x) / (1 + jnp.exp(x)))


# %% slope_held_fixed
# A custom derivative that is itself held fixed: only the first derivative is right.
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


# %% third_held_fixed
# Three derivatives are written by hand, and the third one is held fixed: a fourth one is 0.
# Fails: test_the_third_derivative_is_right
@jax.custom_jvp
def bend(x):
    s = jax.nn.sigmoid(x)
    return s * (1 - s) * (1 - 2 * s)


@bend.defjvp
def bend_jvp(primals, tangents):
    s = lax.stop_gradient(jax.nn.sigmoid(primals[0]))
    return bend(primals[0]), s * (1 - s) * (1 - 6 * s + 6 * s**2) * tangents[0]


@jax.custom_jvp
def slope(x):
    return jax.nn.sigmoid(x) * jax.nn.sigmoid(-x)


@jax.custom_jvp
def logistic(x):
    return jax.nn.sigmoid(x)


slope.defjvp(lambda primals, tangents: (slope(*primals), bend(*primals) * tangents[0]))
logistic.defjvp(lambda primals, tangents: (logistic(*primals), slope(*primals) * tangents[0]))


def sum_logistic(x):
    return logistic(x).sum()


# %% tanh_of_x
# The tanh form without halving x: the curve is twice as steep.
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_is_finite_for_huge_numbers, test_it_survives_jit_and_vmap
def sum_logistic(x):
    return jnp.sum((1 + jnp.tanh(x)) / 2)


# %% textbook
# The textbook formula: right values everywhere, but the gradient at -200 is NaN.
# At most half of the points.
# Fails: test_the_third_derivative_is_right, test_the_gradient_at_two_hundred_is_zero,
# test_the_gradient_is_finite_for_huge_numbers
def sum_logistic(x):
    return jnp.sum(1 / (1 + jnp.exp(-x)))


# %% tutorial_brackets
# The wrong brackets of a tutorial: 1.0 / 1.0 comes first, so this is 1 + exp(-x).
# Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form,
# test_the_third_derivative_is_right, test_the_value_is_finite_for_huge_numbers,
# test_the_gradient_at_two_hundred_is_zero, test_the_gradient_is_finite_for_huge_numbers,
# test_it_survives_jit_and_vmap
def sum_logistic(x):
    return jnp.sum(1.0 / 1.0 + jnp.exp(-x))


# %% math_growth
# exp(x) / (1 + exp(x)) with `math.exp`, which raises an error for the Python float 1000.0.
# Fails: test_the_value_is_finite_for_huge_numbers
def sum_logistic(x):
    if isinstance(x, float):
        growth = math.exp(x)
        return jnp.float32(growth / (1 + growth))
    return jax.nn.sigmoid(x).sum()


# %% zero_on_no_side
# There is a formula for each side of zero, and zero itself has none.
# Fails: test_the_value_is_the_sum
@jax.custom_jvp
def logistic(x):
    decay = jnp.exp(-jnp.abs(x))
    return (x > 0) / (1 + decay) + (x < 0) * decay / (1 + decay) + 0 * x


@logistic.defjvp
def logistic_jvp(primals, tangents):
    (x,), (tangent,) = primals, tangents
    return logistic(x), jax.nn.sigmoid(x) * jax.nn.sigmoid(-x) * tangent


def sum_logistic(x):
    return jnp.sum(logistic(jnp.asarray(x)))


# %% kink_in_the_slope
# The slope uses x * sign(x), which JAX holds to be flat at 0: the third derivative is 0 there.
# Fails: test_the_third_derivative_is_right
@jax.custom_jvp
def logistic(x):
    return jax.nn.sigmoid(x)


@logistic.defjvp
def logistic_jvp(primals, tangents):
    (x,), (tangent,) = primals, tangents
    decay = jnp.exp(-x * jnp.sign(x))
    return logistic(x), decay / (1 + decay) ** 2 * tangent


def sum_logistic(x):
    return jnp.sum(logistic(jnp.asarray(x)))


# %% arriving_gradient_ignored
# The backward rule ignores the gradient that arrives, so twice the sum has the same slope.
# Fails: test_the_third_derivative_is_right
@jax.custom_vjp
def logistic(x):
    return jax.nn.sigmoid(x)


logistic.defvjp(
    lambda x: (jax.nn.sigmoid(x), x),
    lambda x, _: (jax.nn.sigmoid(x) * jax.nn.sigmoid(-x),),
)


def sum_logistic(x):
    return jnp.sum(logistic(jnp.asarray(x, jnp.float32)))


# %% three_axes
# There are letters for three axes, and a batch of images has four.
# Fails: test_the_value_is_the_sum
def sum_logistic(x):
    return jnp.einsum("ijk"[: jnp.ndim(x)] + "->", jax.nn.sigmoid(x))


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for an argument and a result in float32.",
    "argument_no_half_precision of `x`": "The text asks for float32.",
    "argument_infinity_to_nan of `x`": "The text promises values at finite numbers.",
}

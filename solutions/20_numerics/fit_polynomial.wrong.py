"""What learners get wrong in fit_polynomial; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular


def scaled(t):
    """The right u."""
    low, high = jnp.min(t), jnp.max(t)
    return (t - (low + high) / 2) / ((high - low) / 2)


def powers(u, degree):
    """The right matrix."""
    columns = [jnp.ones_like(u)]
    for _ in range(degree):
        columns.append(columns[-1] * u)
    return jnp.stack(columns, axis=1)


def by_qr(matrix, y):
    """The right way to solve."""
    orthonormal, triangle = jnp.linalg.qr(matrix)
    return solve_triangular(triangle, orthonormal.T @ y)


# %% normal_equations
# The normal equations have the square of the condition number, and float32 loses all digits.
# Do: Factor A itself with `jnp.linalg.qr`, and solve R c = Qᵀ y.
# Breaks: Returns 3
# At most half of the points.
# Its examples depend on the machine.
# Fails: test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients
def fit_polynomial(t, y, degree):
    matrix = powers(scaled(t), degree)
    return jnp.linalg.solve(matrix.T @ matrix, matrix.T @ y)


# %% cholesky_of_the_product
# A Cholesky factor of Aᵀ A has lost the digits that the product lost.
# Do: Factor A itself with `jnp.linalg.qr`, and solve R c = Qᵀ y.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients
def fit_polynomial(t, y, degree):
    matrix = powers(scaled(t), degree)
    return cho_solve(cho_factor(matrix.T @ matrix), matrix.T @ y)


# %% triangle_of_the_product
# R is right, but the equations Rᵀ R c = Aᵀ y are the normal equations again.
# Do: Use Q: solve R c = Qᵀ y.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients
def fit_polynomial(t, y, degree):
    matrix = powers(scaled(t), degree)
    triangle = jnp.linalg.qr(matrix, mode="r")
    return jnp.linalg.inv(triangle.T @ triangle) @ (matrix.T @ y)


# %% damped
# A small number on the diagonal makes the normal equations easy to solve, but solves a different problem.
# Do: Factor A itself with `jnp.linalg.qr`, and add nothing.
# Breaks: Returns 3
# Fails: test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients
def fit_polynomial(t, y, degree):
    matrix = powers(scaled(t), degree)
    damped = matrix.T @ matrix + 1e-5 * jnp.eye(degree + 1)
    return jnp.linalg.solve(damped, matrix.T @ y)


# %% not_scaled
# The polynomial is in t.
# Do: Shift and scale t to run from -1 to 1.
# Breaks: Returns 1
# Its examples depend on the machine.
# Fails: test_t_may_have_any_range, test_the_gradients_are_those_of_the_coefficients, test_details
def fit_polynomial(t, y, degree):
    return by_qr(powers(t, degree), y)


# %% not_shifted
# t is divided by its largest absolute value, but not shifted.
# Do: First subtract the middle of the range.
# Breaks: Returns 1
# Its examples depend on the machine.
# Fails: test_t_may_have_any_range, test_the_gradients_are_those_of_the_coefficients, test_details
def fit_polynomial(t, y, degree):
    return by_qr(powers(t / jnp.abs(t).max(), degree), y)


# %% from_zero_to_one
# t is scaled to run from 0 to 1.
# Do: Scale t to run from -1 to 1.
# Breaks: Returns 1
# Fails: test_the_coefficients_are_the_best_ones, test_t_may_have_any_range,
# test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients,
# test_details
def fit_polynomial(t, y, degree):
    return by_qr(powers((scaled(t) + 1) / 2, degree), y)


# %% mean_and_deviation
# t is shifted by its mean and divided by its standard deviation.
# Do: Use the middle and half the range.
# Breaks: Returns 2
# Fails: test_the_coefficients_are_the_best_ones, test_t_may_have_any_range,
# test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients,
# test_details
def fit_polynomial(t, y, degree):
    return by_qr(powers((t - t.mean()) / t.std(), degree), y)


# %% first_and_last
# The code assumes that the first and last t are the smallest and largest.
# Do: Use `jnp.min` and `jnp.max`: t isn't sorted.
# Breaks: Returns 2
# Fails: test_the_coefficients_are_the_best_ones, test_t_may_have_any_range,
# test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients,
# test_details
def fit_polynomial(t, y, degree):
    u = (t - (t[0] + t[-1]) / 2) / ((t[-1] - t[0]) / 2)
    return by_qr(powers(u, degree), y)


# %% highest_first
# The highest power comes first.
# Do: Start with the power 0: `increasing=True`.
# Breaks: Returns 1
# Fails: test_the_coefficients_are_the_best_ones, test_t_may_have_any_range,
# test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients,
# test_details
def fit_polynomial(t, y, degree):
    return by_qr(powers(scaled(t), degree)[:, ::-1], y)


# %% one_column_less
# The number of columns equals the degree, so the highest power is missing.
# Do: Make degree + 1 columns.
# Breaks: Returns 1
# Fails: test_the_coefficients_are_the_best_ones, test_t_may_have_any_range,
# test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients,
# test_details
def fit_polynomial(t, y, degree):
    return by_qr(powers(scaled(t), degree - 1), y)


# %% lower_triangle
# R is treated as a lower triangle.
# Do: R is an upper triangle, as `solve_triangular` expects by default.
# Breaks: Returns 1
# Fails: test_the_coefficients_are_the_best_ones, test_t_may_have_any_range,
# test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients,
# test_details
def fit_polynomial(t, y, degree):
    orthonormal, triangle = jnp.linalg.qr(powers(scaled(t), degree))
    return solve_triangular(triangle, orthonormal.T @ y, lower=True)


# %% no_triangle
# Qᵀ y contains the coefficients of the columns of Q, not of the powers.
# Do: Solve R c = Qᵀ y.
# Breaks: Returns 1
# Fails: test_the_coefficients_are_the_best_ones, test_t_may_have_any_range,
# test_a_high_degree_keeps_its_digits, test_the_gradients_are_those_of_the_coefficients,
# test_details
def fit_polynomial(t, y, degree):
    orthonormal, _ = jnp.linalg.qr(powers(scaled(t), degree))
    return orthonormal.T @ y


# %% range_of_python
# The range becomes two Python numbers, which a traced t doesn't have.
# Do: Keep the range as arrays: `jnp.min(t)` without `float`.
# Breaks: Returns 5
# Fails: test_the_gradients_are_those_of_the_coefficients, test_details
def fit_polynomial(t, y, degree):
    low, high = float(t.min()), float(t.max())
    u = (t - (low + high) / 2) / ((high - low) / 2)
    return by_qr(powers(u, degree), y)


# %% numpy_in_float64
# NumPy fits in float64, and can't read traced values.
# Do: Use `jnp` for all steps: with `jnp.linalg.qr`, float32 is enough.
# Breaks: Returns 5
# Fails: test_the_gradients_are_those_of_the_coefficients, test_details
def fit_polynomial(t, y, degree):
    t, y = np.asarray(t, np.float64), np.asarray(y, np.float64)
    u = (t - (t.min() + t.max()) / 2) / ((t.max() - t.min()) / 2)
    return jnp.float32(np.polynomial.polynomial.polyfit(u, y, degree))


# %% constant_range
# The smallest and largest t are treated as constants, so their gradients are incomplete.
# Do: Remove `stop_gradient`: if the range changes, each u changes.
# Breaks: Returns 4
# Fails: test_the_gradients_are_those_of_the_coefficients, test_details
def fit_polynomial(t, y, degree):
    low, high = jax.lax.stop_gradient((t.min(), t.max()))
    return by_qr(powers((t - (low + high) / 2) / ((high - low) / 2), degree), y)


# %% fixed_factors
# The factors are treated as constants, so t has no gradient.
# Do: Remove `stop_gradient`.
# Breaks: Returns 4
# Fails: test_the_gradients_are_those_of_the_coefficients, test_details
def fit_polynomial(t, y, degree, solution=fit_polynomial):
    return solution(jax.lax.stop_gradient(t), y, degree)


# %% vander
# The derivative of `jnp.vander` is NaN where u is 0.
# Do: Multiply by u for each column, or use `u[:, None] ** jnp.arange(degree + 1)`.
# Breaks: Returns 4
# Fails: test_details
def fit_polynomial(t, y, degree):
    return by_qr(jnp.vander(scaled(t), degree + 1, increasing=True), y)


# %% sign_and_size
# Each power is that of the absolute value times a sign, and at 0 neither has the right derivative.
# Do: Take powers of u itself: an integer power of a negative number is fine.
# Breaks: Returns 4
# Fails: test_details
def fit_polynomial(t, y, degree):
    u, k = scaled(t)[:, None], jnp.arange(degree + 1)
    return by_qr(jnp.sign(u) ** k * jnp.abs(u) ** k, y)


# %% once missed


# %% polyfit
# `jnp.polyfit` has the derivative of `jnp.vander`, which is NaN where u is 0.
# Breaks: Returns 4
# Fails: test_details
def fit_polynomial(t, y, degree):
    return jnp.polyfit(scaled(t), y, degree)[::-1]

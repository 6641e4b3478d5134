"""What learners get wrong in gaussian_logpdf; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import solve_triangular

HALF_LOG_2PI = 0.9189385332


def compose(square, half_logdet, n):
    """The right sum of the right parts."""
    return -square / 2 - half_logdet - n * HALF_LOG_2PI


# %% inverse_and_determinant
# The determinant itself is too small or too large for float32, and its logarithm is infinite.
# Do: Add up the logarithms of the diagonal of a Cholesky factor.
# Breaks: Returns 2, Returns 3
# At most half of the points.
# Fails: test_many_dimensions, test_the_gradients_are_those_of_the_formula,
# test_it_is_factored_once, test_details
def gaussian_logpdf(x, mean, cov):
    r = x - mean
    square = jnp.sum(r @ jnp.linalg.inv(cov) * r, axis=-1)
    return compose(square, jnp.log(jnp.linalg.det(cov)) / 2, len(cov))


# %% product_of_the_diagonal
# The diagonal of the factor is multiplied, which is too small or too large for float32.
# Do: Add up the logarithms of the numbers on the diagonal.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_many_dimensions, test_the_gradients_are_those_of_the_formula
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, (x - mean).T, lower=True)
    return compose(jnp.sum(z**2, axis=0), jnp.log(jnp.prod(jnp.diag(factor))), len(cov))


# %% factored_twice
# `slogdet` and `solve` factor `cov` once each, and don't notice that it isn't positive definite.
# Do: Use one Cholesky factor for both parts.
# Breaks: Returns 5, Returns 3
# Fails: test_it_is_factored_once, test_details
def gaussian_logpdf(x, mean, cov):
    r = x - mean
    square = jnp.sum(r * jnp.linalg.solve(cov, r.T).T, axis=-1)
    return compose(square, jnp.linalg.slogdet(cov)[1] / 2, len(cov))


# %% half_of_the_half
# The sum of the logarithms of the diagonal is already half of log(det(cov)), and is halved again.
# Do: Don't divide the sum of the logarithms by 2: the factor is a root of `cov`.
# Breaks: Returns 1
# Fails: test_one_point_has_the_density_of_the_formula, test_each_row_has_a_density_of_its_own,
# test_many_dimensions, test_the_gradients_are_those_of_the_formula, test_it_is_factored_once,
# test_details
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, (x - mean).T, lower=True)
    return compose(jnp.sum(z**2, axis=0), jnp.sum(jnp.log(jnp.diag(factor))) / 2, len(cov))


# %% upper_triangle
# The system treats L as an upper triangle, so it sees only its diagonal.
# Do: Pass `lower=True`.
# Breaks: Returns 1
# Fails: test_one_point_has_the_density_of_the_formula, test_each_row_has_a_density_of_its_own,
# test_many_dimensions, test_the_gradients_are_those_of_the_formula, test_it_is_factored_once,
# test_details
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, (x - mean).T)
    return compose(jnp.sum(z**2, axis=0), jnp.sum(jnp.log(jnp.diag(factor))), len(cov))


# %% transposed_factor
# The system is solved with the transpose of the factor.
# Do: Solve L z = r, without a transpose.
# Breaks: Returns 1
# Fails: test_one_point_has_the_density_of_the_formula, test_each_row_has_a_density_of_its_own,
# test_many_dimensions, test_the_gradients_are_those_of_the_formula, test_it_is_factored_once,
# test_details
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, (x - mean).T, lower=True, trans=1)
    return compose(jnp.sum(z**2, axis=0), jnp.sum(jnp.log(jnp.diag(factor))), len(cov))


# %% points_in_columns
# The points are in rows, but the system needs them in columns.
# Do: Transpose the right side, and add up the squares along axis 0.
# Breaks: Returns 1
# Fails: test_each_row_has_a_density_of_its_own, test_many_dimensions,
# test_the_gradients_are_those_of_the_formula, test_it_is_factored_once, test_details
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, x - mean, lower=True)
    return compose(jnp.sum(z**2, axis=-1), jnp.sum(jnp.log(jnp.diag(factor))), len(cov))


# %% one_sum_for_all
# The squares of all points are added up to one number.
# Do: Add up each point's squares separately, along one axis.
# Breaks: Returns 1
# Fails: test_each_row_has_a_density_of_its_own, test_many_dimensions,
# test_the_gradients_are_those_of_the_formula, test_it_is_factored_once, test_details
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, (x - mean).T, lower=True)
    return compose(jnp.sum(z**2), jnp.sum(jnp.log(jnp.diag(factor))), len(cov))


# %% number_of_points
# The number of points is used as the number of dimensions.
# Do: Take n from the last axis of x, or from `mean`.
# Breaks: Returns 1
# Fails: test_each_row_has_a_density_of_its_own, test_many_dimensions, test_it_is_factored_once
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, (x - mean).T, lower=True)
    return compose(jnp.sum(z**2, axis=0), jnp.sum(jnp.log(jnp.diag(factor))), len(x))


# %% no_constant
# The constant n log(2 pi) / 2 is missing.
# Do: Subtract n log(2 pi) / 2.
# Breaks: Returns 1
# Fails: test_one_point_has_the_density_of_the_formula, test_each_row_has_a_density_of_its_own,
# test_many_dimensions, test_it_is_factored_once, test_details
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)
    z = solve_triangular(factor, (x - mean).T, lower=True)
    return -jnp.sum(z**2, axis=0) / 2 - jnp.sum(jnp.log(jnp.diag(factor)))


# %% widened
# A small number is added to the diagonal, which is a large change of a small covariance.
# Do: Factor `cov` unchanged.
# Breaks: Returns 2
# Fails: test_many_dimensions, test_the_gradients_are_those_of_the_formula
def gaussian_logpdf(x, mean, cov, solution=gaussian_logpdf):
    return solution(x, mean, cov + 1e-4 * jnp.eye(len(cov)))


# %% loop_over_points
# A Python loop factors `cov` again for each point.
# Do: Solve one system for all points.
# Breaks: Returns 5
# Fails: test_it_is_factored_once
def gaussian_logpdf(x, mean, cov, solution=gaussian_logpdf):
    if x.ndim == 1:
        return solution(x, mean, cov)
    return jnp.stack([solution(point, mean, cov) for point in x])


# %% numpy_factor
# NumPy factors the matrix, which can't be traced.
# Do: Use `jnp.linalg.cholesky`.
# Breaks: Returns 6
# Fails: test_the_gradients_are_those_of_the_formula, test_it_is_factored_once, test_details
def gaussian_logpdf(x, mean, cov):
    factor = jnp.asarray(np.linalg.cholesky(np.asarray(cov)))
    z = solve_triangular(factor, (x - mean).T, lower=True)
    return compose(jnp.sum(z**2, axis=0), jnp.sum(jnp.log(jnp.diag(factor))), len(cov))


# %% fixed_factor
# The factor is treated as a constant, so `cov` has no gradient.
# Do: Remove `stop_gradient`: JAX has a derivative of the Cholesky factor.
# Breaks: Returns 4
# Fails: test_the_gradients_are_those_of_the_formula
def gaussian_logpdf(x, mean, cov, solution=gaussian_logpdf):
    return solution(x, mean, jax.lax.stop_gradient(cov))

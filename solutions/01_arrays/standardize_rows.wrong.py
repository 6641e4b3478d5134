"""What learners get wrong in standardize_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% column_where_needed
# The means become a column only if JAX raises, and it never does for a square matrix.
# Do: Always make the means a column; don't wait for an error.
# Breaks: Returns 1
# Fails: test_a_square_matrix_is_done_by_rows
def standardize_rows(X):
    mean, spread = X.mean(1), X.std(1)
    try:
        return (X - mean) / spread
    except ValueError:
        return (X - mean[:, None]) / spread[:, None]


# %% columns
# The reduction along axis 0 standardizes columns, as in one tutorial.
# Do: Reduce along the axis of the columns, so that each row gives one number.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap, test_details
def standardize_rows(X):
    return (X - X.mean(0)) / X.std(0)


# %% epsilon
# A small number is added to the variance out of habit, which changes a row of small numbers.
# Do: Add nothing to the variance: no row is constant.
# Breaks: Returns 2, Details 1
# Fails: test_every_row_has_its_own_scale
def standardize_rows(X):
    centred = X - X.mean(axis=1, keepdims=True)
    return centred / jnp.sqrt(X.var(axis=1, keepdims=True) + 1e-7)


# %% mean_of_squares
# The variance is the mean of squares minus the squared mean: far from 0, the digits cancel.
# Do: Subtract the mean first, then square.
# Breaks: Details 2
# Fails: test_rows_far_from_zero_keep_their_spread
def standardize_rows(X):
    mean = X.mean(axis=1, keepdims=True)
    variance = jnp.square(X).mean(axis=1, keepdims=True) - mean**2
    return (X - mean) / jnp.sqrt(variance)


# %% no_keepdims
# The means are not kept as a column: an error, or wrong values for a square matrix.
# Do: Keep the reduced axis, with length 1.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap, test_details
def standardize_rows(X):
    return (X - X.mean(1)) / X.std(1)


# %% numpy_rows
# NumPy does the work, which JAX can't trace.
# Do: Use the functions of `jax.numpy`, because NumPy's can't be traced.
# Breaks: Returns 3
# Fails: test_it_survives_jit_and_vmap, test_details
def standardize_rows(X):
    rows = np.asarray(X)
    centred = rows - rows.mean(axis=1, keepdims=True)
    return jnp.asarray(centred / rows.std(axis=1, keepdims=True))


# %% ready_made
# `jax.nn.standardize`, as it is, adds 1e-5 to the variance and squares before it subtracts.
# Do: Look up what this function adds to the variance.
# Breaks: Returns 2, Details 2
# Fails: test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread
def standardize_rows(X):
    return jax.nn.standardize(X, axis=1)


# %% sample_deviation
# The sample deviation divides by m - 1, as other frameworks do by default.
# Do: Divide by m, which is the default here.
# Breaks: Returns 2
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap, test_details
def standardize_rows(X):
    return (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True, ddof=1)


# %% unit_length
# Rows are scaled to length 1, not to deviation 1.
# Do: Divide by the deviation, not by the length of the row.
# Breaks: Returns 1
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap, test_details
def standardize_rows(X):
    centred = X - X.mean(1, keepdims=True)
    return centred / jnp.linalg.norm(centred, axis=1, keepdims=True)


# %% variance
# The variance is used as the standard deviation.
# Do: Take the square root of the variance.
# Breaks: Returns 1
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap, test_details
def standardize_rows(X):
    return (X - X.mean(axis=1, keepdims=True)) / X.var(axis=1, keepdims=True)


# %% whole_matrix
# One mean and one deviation for the whole matrix.
# Do: Each row has its own mean and deviation.
# Breaks: Returns 1
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap, test_details
def standardize_rows(X):
    return (X - X.mean()) / X.std()


# %% once missed


# %% careful_if_positive
# A row far below 0 isn't treated as far from 0: the absolute value is forgotten.
# Breaks: Details 2
# Fails: test_rows_far_from_zero_keep_their_spread
def standardize_rows(X):
    mean, spread = X.mean(1, keepdims=True), X.std(1, keepdims=True)
    near = jnp.square(X).mean(1, keepdims=True) - mean**2
    return (X - mean) / jnp.where(mean > 10 * spread, spread, jnp.sqrt(near))


# %% nan_left_out
# Mean and deviation skip NaN, so the other numbers of a row stay numbers.
# Breaks: Details 3
# Fails: test_details
def standardize_rows(X):
    mean = jnp.nanmean(X, 1, keepdims=True)
    return (X - mean) / jnp.nanstd(X, 1, keepdims=True)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The numbers are float32.",
    "argument_no_half_precision of `X`": "The numbers are float32.",
    "argument_no_integers of `X`": "The numbers are float32.",
    "argument_never_empty of `X`": "There is at least one row.",
}

"""Wrong answers to standardize_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% added_in_order
# Python's `sum` adds the columns one after the other, and rounds the total each time.
# Fails: test_rows_far_from_zero_keep_their_spread
def standardize_rows(X):
    centred = X - (sum(X.T) / X.shape[1])[:, None]
    return centred / jnp.sqrt(sum(centred.T**2) / X.shape[1])[:, None]


# %% column_where_needed
# The means become a column only if JAX raises, and it never does for a square matrix.
# Fails: test_a_square_matrix_is_done_by_rows
def standardize_rows(X):
    mean, spread = X.mean(1), X.std(1)
    try:
        return (X - mean) / spread
    except ValueError:
        return (X - mean[:, None]) / spread[:, None]


# %% columns
# The reduction along axis 0 standardizes columns, as in one tutorial.
# At most half of the points.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    return (X - X.mean(0)) / X.std(0)


# %% careful_if_large
# A row counts as far from 0 if its mean is above 100, however small its spread is.
# Fails: test_it_survives_jit_and_vmap
def standardize_rows(X):
    mean = X.mean(1, keepdims=True)
    near = jnp.square(X).mean(1, keepdims=True) - mean**2
    variance = jnp.where(abs(mean) > 100, X.var(1, keepdims=True), near)
    return (X - mean) / jnp.sqrt(variance)


# %% careful_if_positive
# A row far below 0 doesn't count as far from 0: the absolute value is forgotten.
# Fails: test_rows_far_from_zero_keep_their_spread, test_it_survives_jit_and_vmap
def standardize_rows(X):
    mean, spread = X.mean(1, keepdims=True), X.std(1, keepdims=True)
    near = jnp.square(X).mean(1, keepdims=True) - mean**2
    return (X - mean) / jnp.where(mean > 10 * spread, spread, jnp.sqrt(near))


# %% epsilon
# A small number is added to the variance out of habit, which changes a row of small numbers.
# Fails: test_every_row_has_its_own_scale, test_it_survives_jit_and_vmap
def standardize_rows(X):
    centred = X - X.mean(axis=1, keepdims=True)
    return centred / jnp.sqrt(X.var(axis=1, keepdims=True) + 1e-7)


# %% mean_of_squares
# The mean of squares minus the square of the mean: far from 0 the digits cancel.
# Fails: test_rows_far_from_zero_keep_their_spread, test_it_survives_jit_and_vmap
def standardize_rows(X):
    mean = X.mean(axis=1, keepdims=True)
    variance = jnp.square(X).mean(axis=1, keepdims=True) - mean**2
    return (X - mean) / jnp.sqrt(variance)


# %% middle_of_the_range
# The smallest and the largest number give middle and scale, as if the others were equidistant.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    low, high = X.min(1, keepdims=True), X.max(1, keepdims=True)
    unit = np.linspace(-1, 1, X.shape[1], dtype=np.float32).std()
    return ((X - low) / (high - low) * 2 - 1) / unit


# %% no_keepdims
# The means are not kept as a column: an error, or wrong values for a square matrix.
# At most half of the points.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    return (X - X.mean(1)) / X.std(1)


# %% numpy_rows
# NumPy does the work, which JAX can't trace.
# Fails: test_it_survives_jit_and_vmap
def standardize_rows(X):
    rows = np.asarray(X)
    centred = rows - rows.mean(axis=1, keepdims=True)
    return jnp.asarray(centred / rows.std(axis=1, keepdims=True))


# %% outliers_clipped
# Outliers are cut to five deviations.
# Fails: test_rows_far_from_zero_keep_their_spread
def standardize_rows(X):
    return jnp.clip((X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True), -5, 5)


# %% ready_made
# `jax.nn.standardize` as it is adds 1e-5 to the variance and squares before it subtracts.
# Fails: test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    return jax.nn.standardize(X, axis=1)


# %% sample_deviation
# The sample deviation divides by m - 1, as other frameworks do by default.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    return (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True, ddof=1)


# %% taken_for_constant
# A row whose spread is small beside its mean is taken for a constant one.
# Fails: test_rows_far_from_zero_keep_their_spread
def standardize_rows(X):
    mean, spread = X.mean(1, keepdims=True), X.std(1, keepdims=True)
    return (X - mean) / jnp.where(spread < 2e-4 * abs(mean), 1, spread)


# %% tiny_epsilon
# A tiny number is added to the variance, which changes a row of tiny numbers.
# Fails: test_every_row_has_its_own_scale
def standardize_rows(X):
    centred = X - X.mean(axis=1, keepdims=True)
    return centred / jnp.sqrt(X.var(axis=1, keepdims=True) + 1e-30)


# %% unit_length
# Rows are scaled to length 1, not to deviation 1.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    centred = X - X.mean(1, keepdims=True)
    return centred / jnp.linalg.norm(centred, axis=1, keepdims=True)


# %% variance
# The variance is used as the standard deviation.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    return (X - X.mean(axis=1, keepdims=True)) / X.var(axis=1, keepdims=True)


# %% whole_matrix
# One mean and one deviation for the whole matrix.
# Fails: test_each_row_is_standardized, test_a_square_matrix_is_done_by_rows,
# test_every_row_has_its_own_scale, test_rows_far_from_zero_keep_their_spread,
# test_it_survives_jit_and_vmap
def standardize_rows(X):
    return (X - X.mean()) / X.std()


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The numbers are float32.",
    "argument_no_half_precision of `X`": "The numbers are float32.",
    "argument_no_integers of `X`": "The numbers are float32.",
    "argument_never_empty of `X`": "There is at least one row.",
}


# %% divided_by_the_mean
# The rows are brought to one scale by their means, and a mean may be 0.
# Fails: test_every_row_has_its_own_scale, test_it_survives_jit_and_vmap
def standardize_rows(X):
    mean = X.mean(1, keepdims=True)
    relative = (X - mean) / jnp.abs(mean)
    return relative / relative.std(1, keepdims=True)


# %% logarithms
# The deviation comes from logarithms. A number that equals the mean has none, nor a gradient.
# Fails: test_it_survives_jit_and_vmap
def standardize_rows(X):
    centred = X - X.mean(1, keepdims=True)
    total = jax.nn.logsumexp(2 * jnp.log(abs(centred)), axis=1, keepdims=True)
    return centred * jnp.exp((jnp.log(X.shape[1]) - total) / 2)


# %% overlapping_blocks
# Blocks of 256 rows. The last one starts too early, since a dynamic slice is moved until it fits.
# Fails: test_every_row_has_its_own_scale
def standardize_rows(X, standardize=standardize_rows):
    n, m = X.shape
    if n <= 256:
        return standardize(X)
    blocks = jax.lax.map(
        lambda start: standardize(jax.lax.dynamic_slice_in_dim(X, start, 256)),
        jnp.arange(0, n, 256),
    )
    return blocks.reshape(-1, m)[:n]

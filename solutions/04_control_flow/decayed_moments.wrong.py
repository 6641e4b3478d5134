"""Wrong answers to decayed_moments; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax import lax


# %% as_it_was
# The table is updated one row at a time.
# Do: Write the table out as a sum over the rows.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_no_round_for_each_row, test_it_is_fast
def decayed_moments(x, decay):
    def update(table, row):
        return decay * table + (1 - decay) * jnp.outer(row, row), None

    return lax.scan(update, jnp.zeros((x.shape[1], x.shape[1])), x)[0]


# %% products_first
# The products of all rows are made at once, but still added one at a time.
# Do: Ask which operation multiplies and adds.
# Breaks: Returns 4
# Fails: test_no_round_for_each_row, test_it_is_fast
def decayed_moments(x, decay):
    terms = (1 - decay) * x[:, :, None] * x[:, None, :]
    return lax.scan(lambda table, term: (decay * table + term, None), 0 * terms[0], terms)[0]


# %% all_tables
# A scan by composition takes few rounds, but each of them creates tables for all rows.
# Do: Only the last table is required. Don't compute any others.
# Breaks: Returns 4
# Fails: test_it_is_fast
def decayed_moments(x, decay):
    terms = (1 - decay) * x[:, :, None] * x[:, None, :]
    factors = jnp.full((len(x), 1, 1), decay)

    def compose(first, second):
        return first[0] * second[0], second[0] * first[1] + second[1]

    return lax.associative_scan(compose, (factors, terms))[1][-1]


# %% oldest_counts_most
# The weights are in the wrong order.
# Do: Try a decay of 0: only the last row should remain.
# Breaks: Returns 2
# Fails: test_the_table_is_that_of_the_updates, test_details, test_no_round_for_each_row
def decayed_moments(x, decay):
    weights = (1 - decay) * decay ** jnp.arange(x.shape[0])
    return (weights[:, None] * x).T @ x


# %% decayed_once_too_often
# The newest row is already decayed.
# Do: Compute the weight of the last row on paper.
# Breaks: Returns 2
# Fails: test_the_table_is_that_of_the_updates, test_details, test_no_round_for_each_row
def decayed_moments(x, decay):
    weights = (1 - decay) * decay ** jnp.arange(x.shape[0], 0, -1)
    return (weights[:, None] * x).T @ x


# %% sum_of_weights_is_one
# The weights are divided by their sum, so the table doesn't start as zeros.
# Do: Try a single row.
# Breaks: Returns 2
# Fails: test_the_table_is_that_of_the_updates, test_details
def decayed_moments(x, decay):
    weights = decay ** jnp.arange(x.shape[0])[::-1]
    return ((weights / weights.sum())[:, None] * x).T @ x


# %% rows_with_rows
# The product is of rows with rows, so the table has an entry for each pair of days.
# Do: Compare the shape of the table with the number of shares.
# Breaks: Returns 1
# Fails: test_the_table_is_that_of_the_updates, test_details, test_no_round_for_each_row
def decayed_moments(x, decay):
    weights = (1 - decay) * decay ** jnp.arange(x.shape[0])[::-1]
    return (weights[:, None] * x) @ x.T


# %% around_the_mean
# The mean of each column is subtracted first.
# Do: Compare with the loop, row by row.
# Breaks: Returns 2
# Fails: test_the_table_is_that_of_the_updates, test_details, test_no_round_for_each_row
def decayed_moments(x, decay):
    weights = (1 - decay) * decay ** jnp.arange(x.shape[0])[::-1]
    x = x - x.mean(axis=0)
    return (weights[:, None] * x).T @ x


# %% weights_by_logarithm
# The logarithm of a decay of 0 is infinite, and infinity times 0 is NaN.
# Do: Try a decay of 0.
# Breaks: Returns 2
# Fails: test_details
def decayed_moments(x, decay):
    age = jnp.arange(x.shape[0])[::-1]
    weights = (1 - decay) * jnp.exp(age * jnp.log(decay))
    return (weights[:, None] * x).T @ x


# %% once missed
# %% weights_by_numpy
# NumPy makes the weights, so the decay needs a value while tracing.
# Breaks: Returns 3
# Fails: test_details, test_no_round_for_each_row
def decayed_moments(x, decay):
    age = np.arange(x.shape[0])[::-1]
    weights = (1 - np.asarray(decay)) * np.asarray(decay, np.float32) ** age
    return (weights[:, None] * x).T @ x

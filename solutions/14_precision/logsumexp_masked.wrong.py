"""What learners get wrong in logsumexp_masked; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% library
# `jax.nn.logsumexp` as it is: right values, and NaN in the gradient of a row of -inf.
# Do: Replace a row of -inf before the logarithm is computed.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_a_row_in_which_nothing_counts_has_gradient_zero,
# test_a_loss_that_leaves_them_out_has_a_gradient
def logsumexp_masked(x):
    return jax.nn.logsumexp(x, axis=-1)


# %% where_afterwards
# Only the result is replaced: the gradient behind it is NaN already.
# Do: Replace the row itself, before the logarithm, and not only the result.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_a_row_in_which_nothing_counts_has_gradient_zero,
# test_a_loss_that_leaves_them_out_has_a_gradient
def logsumexp_masked(x):
    counts = jnp.any(x != -jnp.inf, axis=-1)
    return jnp.where(counts, jax.nn.logsumexp(x, axis=-1), -jnp.inf)


# %% shifted_by_infinity
# The maximum of a row of -inf is subtracted, which gives NaN.
# Do: Subtract 0 where the maximum is -inf.
# Breaks: Returns 2
# Fails: test_a_row_in_which_nothing_counts_is_minus_infinity,
# test_a_row_in_which_nothing_counts_has_gradient_zero,
# test_a_loss_that_leaves_them_out_has_a_gradient, test_one_program_serves_every_mask, test_details
def logsumexp_masked(x):
    top = lax.stop_gradient(x.max(-1, keepdims=True))
    return jnp.log(jnp.exp(x - top).sum(-1)) + top[..., 0]


# %% no_maximum
# The exponentials are added as they are, and overflow.
# Do: Subtract the largest number of the row first.
# Breaks: Returns 1
# Fails: test_the_value_is_that_of_the_formula, test_the_gradient_is_the_share_of_each_number
def logsumexp_masked(x):
    counts = jnp.any(x != -jnp.inf, axis=-1)
    safe = jnp.where(counts[..., None], x, 0)
    return jnp.where(counts, jnp.log(jnp.exp(safe).sum(-1)), -jnp.inf).astype(x.dtype)


# %% large_negative
# -1e9 in place of -inf: no NaN, but a row of padding has a finite value and a gradient.
# Do: Leave -inf as it is. A row of padding has the value -inf.
# Breaks: Returns 2
# Fails: test_the_value_is_that_of_the_formula,
# test_a_row_in_which_nothing_counts_is_minus_infinity, test_one_program_serves_every_mask,
# test_details
def logsumexp_masked(x):
    return jax.nn.logsumexp(jnp.maximum(x, -1e9), axis=-1)


# %% tiny_number
# A tiny number is added to the sum, so the logarithm is never of 0.
# Do: Find the rows in which nothing counts, and give them -inf.
# Breaks: Returns 2
# Fails: test_a_row_in_which_nothing_counts_is_minus_infinity, test_one_program_serves_every_mask,
# test_details
def logsumexp_masked(x):
    top = lax.stop_gradient(x.max(-1, keepdims=True))
    top = jnp.where(jnp.isneginf(top), 0, top)
    return (jnp.log(jnp.exp(x - top).sum(-1) + 1e-20) + top[..., 0]).astype(x.dtype)


# %% zero_row
# A row in which nothing counts gives 0.
# Do: Give -inf to the rows in which nothing counts.
# Breaks: Returns 2
# Fails: test_a_row_in_which_nothing_counts_is_minus_infinity, test_one_program_serves_every_mask,
# test_details
def logsumexp_masked(x, solution=logsumexp_masked):
    found = solution(x)
    return jnp.where(jnp.isneginf(found), 0, found)


# %% all_axes
# The sum is over all axes.
# Do: Add up along the last axis only.
# Breaks: Returns 1
# Fails: test_the_value_is_that_of_the_formula,
# test_a_row_in_which_nothing_counts_is_minus_infinity,
# test_the_gradient_is_the_share_of_each_number,
# test_a_row_in_which_nothing_counts_has_gradient_zero,
# test_a_loss_that_leaves_them_out_has_a_gradient, test_details
def logsumexp_masked(x):
    counts = jnp.any(x != -jnp.inf)
    return jnp.where(counts, jax.nn.logsumexp(jnp.where(counts, x, 0)), -jnp.inf)


# %% masked_by_index
# The numbers that count are picked by a mask, which needs their values.
# Do: Keep the shape, and choose with `jnp.where`.
# Breaks: Returns 5
# Fails: test_the_gradient_is_the_share_of_each_number,
# test_a_row_in_which_nothing_counts_has_gradient_zero,
# test_a_loss_that_leaves_them_out_has_a_gradient, test_one_program_serves_every_mask, test_details
def logsumexp_masked(x, solution=logsumexp_masked):
    rows = x.reshape(-1, x.shape[-1])
    found = [
        solution(row[row != -jnp.inf]) if (row != -jnp.inf).any() else -jnp.inf for row in rows
    ]
    return jnp.array(found, x.dtype).reshape(x.shape[:-1])


# %% numpy_rows
# NumPy computes, which JAX can't trace.
# Do: Use functions of `jnp`, which JAX can trace and differentiate.
# Breaks: Returns 5
# Fails: test_the_gradient_is_the_share_of_each_number,
# test_a_row_in_which_nothing_counts_has_gradient_zero,
# test_a_loss_that_leaves_them_out_has_a_gradient, test_one_program_serves_every_mask, test_details
def logsumexp_masked(x):
    wide = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        return jnp.asarray(np.logaddexp.reduce(wide, axis=-1), x.dtype)


# %% nan_row_lost
# A row counts if a number of it is greater than -inf, and NaN isn't.
# Do: Ask which numbers differ from -inf. NaN does.
# Breaks: Details 2
# Fails: test_details
def logsumexp_masked(x):
    counts = jnp.any(x > -jnp.inf, axis=-1)
    safe = jnp.where(counts[..., None], x, 0)
    return jnp.where(counts, jax.nn.logsumexp(safe, axis=-1), -jnp.inf)


# %% float32_result
# The result is float32, also in half precision.
# Do: Return the dtype of `x`.
# Breaks: Details 1
# Fails: test_details
def logsumexp_masked(x, solution=logsumexp_masked):
    return solution(x.astype(jnp.float32))


# %% once missed


# %% nan_left_out
# NaN is taken for a mask, too.
# Breaks: Details 2
# Fails: test_details
def logsumexp_masked(x, solution=logsumexp_masked):
    return solution(jnp.where(jnp.isnan(x), -jnp.inf, x))


# %% nan_spoils_the_batch
# One row with NaN takes the gradient away from all rows.
# Breaks: Details 2
# Fails: test_details
def logsumexp_masked(x, solution=logsumexp_masked):
    result = solution(x)
    return jnp.where(jnp.isnan(result).any(), lax.stop_gradient(result), result)


# %% masked_rows_are_constant
# Each row with a -inf counts as a constant, so its other numbers have no gradient.
# Breaks: Returns 3
# Fails: test_the_gradient_is_the_share_of_each_number,
# test_a_row_in_which_nothing_counts_has_gradient_zero,
# test_a_loss_that_leaves_them_out_has_a_gradient, test_details
def logsumexp_masked(x, solution=logsumexp_masked):
    is_masked = jnp.any(x == -jnp.inf, axis=-1)
    return jnp.where(is_masked, lax.stop_gradient(solution(x)), solution(x))


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "safe = jnp.where(counts[..., None], x, 0) -> safe = jnp.where(counts[..., None], x, 1)": "Any finite number keeps such a row away from the logarithm of 0.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers of `x`": "The text asks for floats.",
    "argument_never_empty of `x`": "The text doesn't speak of no rows.",
}

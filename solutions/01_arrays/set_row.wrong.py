"""What learners get wrong in set_row; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% adds
# `add` instead of `set`.
# Do: Replace the old numbers with the new ones, and add nothing.
# Breaks: Details 1
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_the_dtype_is_kept, test_the_index_may_be_traced, test_a_batch_can_be_set,
# test_the_input_can_be_used_again, test_details
def set_row(x, i, row):
    return x.at[i].add(row)


# %% column
# A column is replaced; a matrix that isn't square raises a shape error.
# Do: The first index of a matrix is the row.
# Breaks: Returns 3
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_the_dtype_is_kept, test_the_index_may_be_traced, test_a_batch_can_be_set,
# test_the_input_can_be_used_again, test_details
def set_row(x, i, row):
    return x.at[:, i].set(row)


# %% float_buffer
# A buffer of zeros is filled instead of a copy of `x`, so the result is always float32.
# Do: Start from `x`, not from an array of zeros.
# Breaks: Returns 1
# Fails: test_the_dtype_is_kept
def set_row(x, i, row):
    out = jnp.zeros(x.shape)
    out = out.at[:].set(x)
    return out.at[i].set(row)


# %% numpy_copy
# NumPy habit: copy out of JAX, assign, copy back in.
# Do: Request an update of the JAX array itself; no NumPy copy is needed.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_index_may_be_traced, test_a_batch_can_be_set, test_details
def set_row(x, i, row):
    copy = np.array(x)
    copy[i] = row
    return jnp.asarray(copy)


# %% one_hot_product
# The old row is multiplied by zero: NaN and Inf become NaN, and integers become floats.
# Do: Replace the row, or choose between old and new numbers.
# Breaks: Details 2
# Fails: test_the_dtype_is_kept, test_details
def set_row(x, i, row):
    hot = jax.nn.one_hot(i, x.shape[0])[:, None]
    return x * (1 - hot) + hot * row


# %% slices
# Python slices cut out the rows before and after, which needs a concrete index.
# Do: Look for a way to replace a row without cutting the matrix.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_index_may_be_traced, test_a_batch_can_be_set, test_details
def set_row(x, i, row):
    return jnp.concatenate([x[:i], row[None], x[i + 1 :]])


# %% static_index
# The index is static under `jit`: one compilation per row, and an array as an index fails.
# Do: Let the index be an ordinary argument that is traced.
# Breaks: Returns 4
# Fails: test_the_index_may_be_traced, test_a_batch_can_be_set, test_details
@partial(jax.jit, static_argnames="i")
def set_row(x, i, row):
    return x.at[i].set(row)


# %% transposes_square
# The axis is chosen by comparing lengths, which are equal in a square matrix.
# Do: Ignore the lengths: `i` is always the index of a row.
# Breaks: Returns 3
# Fails: test_a_square_matrix_loses_a_row_and_no_column
def set_row(x, i, row):
    if row.shape[0] == x.shape[0] > 1:
        return x.at[:, i].set(row)
    return x.at[i].set(row)


# %% unused_result
# The updated copy is created and then discarded.
# Do: The update returns a new array. Return it.
# Breaks: Details 1
# At most half of the points.
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_the_dtype_is_kept, test_the_index_may_be_traced, test_a_batch_can_be_set,
# test_the_input_can_be_used_again, test_details
def set_row(x, i, row):
    x.at[i].set(row)
    return x


# %% once missed
from jax import lax


# %% donated
# The buffer of `x` is donated to the result, so the caller can no longer use `x`.
# Breaks: Returns 2
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_the_dtype_is_kept, test_the_input_can_be_used_again, test_details
@partial(jax.jit, donate_argnums=0)
def set_row(x, i, row):
    return x.at[i].set(row)


# %% numpy_if_known
# NumPy does the work if the index is known, but the matrix may still be traced.
# Breaks: Returns 4
# Fails: test_a_batch_can_be_set
def set_row(x, i, row):
    if isinstance(i, jax.core.Tracer):
        return x.at[i].set(row)
    copy = np.array(x)
    copy[int(i)] = np.asarray(row)
    return jnp.asarray(copy)


# %% numbers_of_the_dtype
# The row numbers have the dtype of `x`, so 257 is 1 in int8 and 256 in bfloat16.
# Breaks: Details 1
# Fails: test_the_dtype_is_kept
def set_row(x, i, row):
    numbers = jnp.arange(len(x)).astype(x.dtype)
    return jnp.where((numbers == jnp.asarray(i).astype(x.dtype))[:, None], row, x)


# %% branch_for_each_row
# With a traced index, the program has a branch for each row, in which the index is a Python number.
# Breaks: Details 3
# Fails: test_details
def set_row(x, i, row, solution=set_row):
    def branch(j, x, row):
        return jnp.concatenate((x[:j], row[None], x[j + 1 :]))

    if not isinstance(i, jax.core.Tracer):
        return solution(x, i, row)
    return lax.switch(i, [partial(branch, j) for j in range(len(x))], x, row)


# %% no_change_for_booleans
# Booleans are combined with `or`, so a True in the old row remains.
# Breaks: Details 1
# Fails: test_the_dtype_is_kept
def set_row(x, i, row):
    return x.at[i].max(row) if x.dtype == bool else x.at[i].set(row)

"""Wrong answers to set_row; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% adds
# `add` instead of `set`.
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_nan_and_infinity_stay_in_their_row, test_the_dtype_is_kept, test_the_index_may_be_traced,
# test_a_batch_can_be_set, test_the_input_can_be_used_again
def set_row(x, i, row):
    return x.at[i].add(row)


# %% column
# A column is replaced; a matrix that isn't square raises a shape error.
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_nan_and_infinity_stay_in_their_row, test_the_dtype_is_kept, test_the_index_may_be_traced,
# test_a_batch_can_be_set, test_the_input_can_be_used_again
def set_row(x, i, row):
    return x.at[:, i].set(row)


# %% donated
# The memory of `x` is given away to the result, so the caller can't use `x` any more.
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_nan_and_infinity_stay_in_their_row, test_the_dtype_is_kept,
# test_the_input_can_be_used_again
@partial(jax.jit, donate_argnums=0)
def set_row(x, i, row):
    return x.at[i].set(row)


# %% float_buffer
# A buffer of zeros is filled instead of a copy of `x`, so the result is always float32.
# Fails: test_the_dtype_is_kept, test_a_batch_can_be_set
def set_row(x, i, row):
    out = jnp.zeros(x.shape)
    out = out.at[:].set(x)
    return out.at[i].set(row)


# %% numpy_copy
# NumPy habit: copy out of JAX, assign, copy back in.
# At most half of the points.
# Fails: test_the_index_may_be_traced, test_a_batch_can_be_set
def set_row(x, i, row):
    copy = np.array(x)
    copy[i] = row
    return jnp.asarray(copy)


# %% numpy_if_known
# NumPy does the work if the index is known, but the matrix may be traced all the same.
# Fails: test_a_batch_can_be_set
def set_row(x, i, row):
    if isinstance(i, jax.core.Tracer):
        return x.at[i].set(row)
    copy = np.array(x)
    copy[int(i)] = np.asarray(row)
    return jnp.asarray(copy)


# %% one_hot_product
# The old row is multiplied by zero: NaN and Inf become NaN, and integers become floats.
# Fails: test_nan_and_infinity_stay_in_their_row, test_the_dtype_is_kept, test_a_batch_can_be_set
def set_row(x, i, row):
    hot = jax.nn.one_hot(i, x.shape[0])[:, None]
    return x * (1 - hot) + hot * row


# %% slices
# Python slices cut out the rows before and after, which needs a concrete index.
# At most half of the points.
# Fails: test_the_index_may_be_traced, test_a_batch_can_be_set
def set_row(x, i, row):
    return jnp.concatenate([x[:i], row[None], x[i + 1 :]])


# %% static_index
# The index is static under `jit`: one compilation per row, and an array as an index fails.
# Fails: test_the_index_may_be_traced, test_a_batch_can_be_set, test_the_input_can_be_used_again
@partial(jax.jit, static_argnames="i")
def set_row(x, i, row):
    return x.at[i].set(row)


# %% transposes_square
# The axis is chosen by comparing lengths, which are equal in a square matrix.
# Fails: test_a_square_matrix_loses_a_row_and_no_column
def set_row(x, i, row):
    if row.shape[0] == x.shape[0] > 1:
        return x.at[:, i].set(row)
    return x.at[i].set(row)


# %% unused_result
# The updated copy is made and thrown away.
# At most half of the points.
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_nan_and_infinity_stay_in_their_row, test_the_dtype_is_kept, test_the_index_may_be_traced,
# test_a_batch_can_be_set, test_the_input_can_be_used_again
def set_row(x, i, row):
    x.at[i].set(row)
    return x


# %% numbers_of_the_dtype
# The numbers of the rows have the dtype of `x`, so 257 is 1 in int8 and 256 in bfloat16.
# Fails: test_the_dtype_is_kept
def set_row(x, i, row):
    numbers = jnp.arange(len(x)).astype(x.dtype)
    return jnp.where((numbers == jnp.asarray(i).astype(x.dtype))[:, None], row, x)


# %% sum_of_parts
# The new row is added to the others, and -0 + 0 is 0.
# Fails: test_nan_and_infinity_stay_in_their_row
def set_row(x, i, row):
    here, zero = (jnp.arange(len(x)) == i)[:, None], jnp.zeros_like(x)
    return jnp.where(here, zero, x) + jnp.where(here, row, zero)


# %% sixteen_bit_numbers
# The rows are numbered in 16 bits, which run over from row 32,768 on.
# Fails: test_the_index_may_be_traced
def set_row(x, i, row):
    numbers = jnp.arange(len(x), dtype=jnp.int32).astype(jnp.int16)
    return jnp.where((numbers == jnp.asarray(i, jnp.int32))[:, None], row, x)


# %% branch_for_each_row
# With a traced index, the program has a branch for each row, in which it is a Python number.
# Fails: test_the_index_may_be_traced
def set_row(x, i, row, solution=set_row):
    def branch(j, x, row):
        return jnp.concatenate((x[:j], row[None], x[j + 1 :]))

    if not isinstance(i, jax.core.Tracer):
        return solution(x, i, row)
    return lax.switch(i, [partial(branch, j) for j in range(len(x))], x, row)


# %% numpy_if_index_and_matrix_are_known
# NumPy does the work if the matrix and the index are known, but the row may be traced all the same.
# Fails: test_a_batch_can_be_set
def set_row(x, i, row):
    if isinstance(x, jax.core.Tracer) or isinstance(i, jax.core.Tracer):
        return x.at[i].set(row)
    copy = np.array(x)
    copy[int(i)] = np.asarray(row)
    return jnp.asarray(copy)


# %% one_hot_product_if_traced
# If the index is traced, the old row is multiplied by zero, and NaN times zero is NaN.
# Fails: test_a_batch_can_be_set
def set_row(x, i, row, solution=set_row):
    if not isinstance(i, jax.core.Tracer):
        return solution(x, i, row)
    hot = jax.nn.one_hot(i, len(x), dtype=x.dtype)[:, None]
    return x * (1 - hot) + hot * row


# %% float_buffer_if_traced
# If the index is traced, a buffer of zeros is filled, so the result is float32.
# Fails: test_a_batch_can_be_set
def set_row(x, i, row, solution=set_row):
    if not isinstance(i, jax.core.Tracer):
        return solution(x, i, row)
    return jnp.zeros(x.shape).at[:].set(x).at[i].set(row)


# %% blocks_of_rows
# A Python loop over blocks of 1000 rows: one block for a few rows, and many for a long buffer.
# Fails: test_the_index_may_be_traced
def set_row(x, i, row):
    numbers, done = jnp.arange(len(x)), []
    for start in range(0, len(x), 1000):
        block = slice(start, start + 1000)
        done.append(jnp.where((numbers[block] == i)[:, None], row, x[block]))
    return jnp.concatenate(done)

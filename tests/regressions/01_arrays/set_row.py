"""What the suite of set_row once missed; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% donated
# The memory of `x` is given away to the result, so the caller can't use `x` any more.
# Fails: test_one_row_is_replaced, test_a_square_matrix_loses_a_row_and_no_column,
# test_the_dtype_is_kept, test_the_input_can_be_used_again, test_details
@partial(jax.jit, donate_argnums=0)
def set_row(x, i, row):
    return x.at[i].set(row)


# %% numpy_if_known
# NumPy does the work if the index is known, but the matrix may be traced all the same.
# Fails: test_a_batch_can_be_set
def set_row(x, i, row):
    if isinstance(i, jax.core.Tracer):
        return x.at[i].set(row)
    copy = np.array(x)
    copy[int(i)] = np.asarray(row)
    return jnp.asarray(copy)


# %% numbers_of_the_dtype
# The numbers of the rows have the dtype of `x`, so 257 is 1 in int8 and 256 in bfloat16.
# Fails: test_the_dtype_is_kept
def set_row(x, i, row):
    numbers = jnp.arange(len(x)).astype(x.dtype)
    return jnp.where((numbers == jnp.asarray(i).astype(x.dtype))[:, None], row, x)


# %% branch_for_each_row
# With a traced index, the program has a branch for each row, in which it is a Python number.
# Fails: test_details
def set_row(x, i, row, solution=set_row):
    def branch(j, x, row):
        return jnp.concatenate((x[:j], row[None], x[j + 1 :]))

    if not isinstance(i, jax.core.Tracer):
        return solution(x, i, row)
    return lax.switch(i, [partial(branch, j) for j in range(len(x))], x, row)

"""Wrong answers to column_means; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def _sums(x, rows, prepare, points=None, keeps=1):
    """The sum over the blocks, of what `prepare(block, number)` makes of each one."""
    m, n = x.shape

    def add_block(x_ref, out_ref):
        @pl.when(pl.program_id(0) == 0)
        def start():
            out_ref[...] = jnp.zeros_like(out_ref)

        own = jnp.sum(prepare(x_ref[...], pl.program_id(0)), axis=0)
        out_ref[...] = keeps * out_ref[...] + own

    return pl.pallas_call(
        add_block,
        out_shape=jax.ShapeDtypeStruct((n,), x.dtype),
        grid=(pl.cdiv(m, rows) if points is None else points,),
        in_specs=[pl.BlockSpec((rows, n), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((n,), lambda i: (0,)),
        interpret=True,
    )(x)


def _row(block, number):
    return number * len(block) + jnp.arange(len(block))[:, None]


# %% as_it_was
# The sum counts rows of the last block that `x` doesn't have.
# Do: Copy the last block, and look at its rows.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_last_block_sticks_out, test_a_block_larger_than_all, test_nan_and_infinity_count,
# test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    return _sums(x, rows, lambda block, number: block) / len(x)


# %% times_zero
# Rows that don't exist are multiplied by 0, and NaN times 0 is NaN.
# Do: Ask for NaN times 0.
# Breaks: Returns 1
# Fails: test_the_last_block_sticks_out, test_a_block_larger_than_all, test_nan_and_infinity_count,
# test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    def prepare(block, number):
        return block * (_row(block, number) < len(x)).astype(block.dtype)

    return _sums(x, rows, prepare) / len(x)


# %% nan_is_nothing
# Each NaN counts as 0, also one that stands in `x`.
# Do: Put a NaN into `x`.
# Breaks: Returns 4
# Fails: test_nan_and_infinity_count
def column_means(x, rows):
    return _sums(x, rows, lambda block, number: jnp.nan_to_num(block)) / len(x)


# %% last_block_left_out
# The grid ends before the block that sticks out, so its rows are missing.
# Do: Count the blocks of two rows that three rows need.
# Breaks: Returns 2
# Fails: test_the_last_block_sticks_out, test_nan_and_infinity_count,
# test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    points = max(len(x) // rows, 1)

    def prepare(block, number):
        return jnp.where(_row(block, number) < len(x), block, 0)

    return _sums(x, rows, prepare, points) / len(x)


# %% place_in_the_block
# The place in the block is compared with the number of rows of `x`, without the blocks before.
# Do: Ask which row of `x` is the first one of the second block.
# Breaks: Returns 1
# Fails: test_the_last_block_sticks_out, test_nan_and_infinity_count,
# test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    def prepare(block, number):
        return jnp.where(_row(block, 0) < len(x), block, 0)

    return _sums(x, rows, prepare) / len(x)


# %% one_row_too_many
# The first row behind `x` counts.
# Do: Ask for the number of the last row of `x`.
# Breaks: Returns 1
# Fails: test_the_last_block_sticks_out, test_a_block_larger_than_all, test_nan_and_infinity_count,
# test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    def prepare(block, number):
        return jnp.where(_row(block, number) <= len(x), block, 0)

    return _sums(x, rows, prepare) / len(x)


# %% all_rows_counted
# The sum is divided by the rows of all blocks.
# Do: Compare the divisor with the number of rows of `x`.
# Breaks: Returns 1
# Fails: test_the_last_block_sticks_out, test_a_block_larger_than_all, test_nan_and_infinity_count,
# test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    def prepare(block, number):
        return jnp.where(_row(block, number) < len(x), block, 0)

    return _sums(x, rows, prepare) / (rows * pl.cdiv(len(x), rows))


# %% no_kernel
# The means of the library need no kernel.
# Do: Look for `pallas_call` in the traced program.
# Breaks: Returns 2
# Fails: test_one_kernel_gets_a_block_at_a_time
def column_means(x, rows):
    return jnp.mean(x, axis=0)


# %% whole_array
# The kernel gets all rows at once.
# Do: Count the points of the grid.
# Breaks: Returns 3
# Fails: test_one_kernel_gets_a_block_at_a_time
def column_means(x, rows):
    return _sums(x, len(x), lambda block, number: block) / len(x)


# %% last_block_only
# Each block replaces the sum of the blocks before it.
# Do: Compute the means of two blocks by hand.
# Breaks: Returns 1
# Fails: test_blocks_that_fit, test_the_last_block_sticks_out, test_nan_and_infinity_count,
# test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    def prepare(block, number):
        return jnp.where(_row(block, number) < len(x), block, 0)

    return _sums(x, rows, prepare, keeps=0) / len(x)


# %% means_outside
# The means are made at once, and each round of the kernel copies them.
# Do: Give `x` to the kernel, and let each round add the rows of its block.
# Breaks: Returns 3
# Fails: test_one_kernel_gets_a_block_at_a_time
def column_means(x, rows):
    whole = pl.BlockSpec(x.shape[1:], lambda i: (0,))
    return pl.pallas_call(
        lambda means_ref, out_ref: out_ref.__setitem__(..., means_ref[...]),
        out_shape=jax.ShapeDtypeStruct(x.shape[1:], x.dtype),
        grid=(pl.cdiv(len(x), rows),),
        in_specs=[whole],
        out_specs=whole,
        interpret=True,
    )(x.mean(axis=0))


# %% once missed
import numpy as np


# %% padded_by_numpy
# NumPy pads `x` to whole blocks, and can't look at an array that is traced.
# Breaks: Returns 5
# Fails: test_blocks_that_fit, test_the_last_block_sticks_out, test_a_block_larger_than_all,
# test_nan_and_infinity_count, test_one_kernel_gets_a_block_at_a_time, test_a_batch
def column_means(x, rows):
    whole = np.pad(np.asarray(x), ((0, -len(x) % rows), (0, 0)))
    return _sums(whole, rows, lambda block, number: block) / len(x)

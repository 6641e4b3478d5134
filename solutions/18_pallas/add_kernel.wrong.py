"""What learners get wrong in add_kernel; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl


def kernel(x_ref, bias_ref, out_ref):
    out_ref[...] = x_ref[...] + bias_ref[...]


def run(x, bias, block, grid, of_x=None, of_bias=None, dtype=None, kernel=kernel):
    tile = pl.BlockSpec(block, of_x or (lambda i, j: (i, j)))
    row = pl.BlockSpec(block[1:], of_bias or (lambda i, j: (j,)))
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, dtype or x.dtype),
        grid=grid,
        in_specs=[tile, row],
        out_specs=tile,
        interpret=True,
    )(x, bias)


# %% elements_counted
# The maps give the first element of a block, and not its number.
# Do: Let the maps give the number of a block. Pallas knows how long a block is.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_blocks_that_fit, test_blocks_that_stick_out, test_each_point_works_on_one_block,
# test_a_batch
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    grid = pl.cdiv(m, rows), pl.cdiv(n, columns)
    return run(
        x, bias, block, grid, lambda i, j: (i * rows, j * columns), lambda i, j: (j * columns,)
    )


# %% rounded_down
# The grid is rounded down, so the last blocks are missing where the block doesn't divide.
# Do: Round up: the last block may stick out, but it has to be there.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_blocks_that_stick_out, test_the_grid_has_a_point_for_each_block, test_a_batch
def add_kernel(x, bias, block):
    return run(x, bias, block, (x.shape[0] // block[0], x.shape[1] // block[1]))


# %% first_bias
# Every block gets the first block of the bias.
# Do: The block of the bias moves along with the columns. Which number of the point is that?
# Breaks: Returns 1
# Fails: test_blocks_that_fit, test_blocks_that_stick_out, test_each_point_works_on_one_block,
# test_a_batch, test_details
def add_kernel(x, bias, block):
    grid = pl.cdiv(x.shape[0], block[0]), pl.cdiv(x.shape[1], block[1])
    return run(x, bias, block, grid, of_bias=lambda i, j: (0,))


# %% bias_by_rows
# The block of the bias follows the rows.
# Do: The bias has one number per column. Which number of the point counts the columns?
# Breaks: Returns 1
# Fails: test_blocks_that_fit, test_blocks_that_stick_out, test_each_point_works_on_one_block,
# test_a_batch, test_details
def add_kernel(x, bias, block):
    grid = pl.cdiv(x.shape[0], block[0]), pl.cdiv(x.shape[1], block[1])
    return run(x, bias, block, grid, of_bias=lambda i, j: (i,))


# %% one_too_many
# The grid has one more row of blocks than are needed, in any case.
# Do: Divide and round up, which adds nothing where the block divides the length.
# Breaks: Returns 3
# Fails: test_the_grid_has_a_point_for_each_block, test_each_point_works_on_one_block
def add_kernel(x, bias, block):
    return run(x, bias, block, (x.shape[0] // block[0] + 1, pl.cdiv(x.shape[1], block[1])))


# %% padded_to_the_block
# The padding isn't cut off, so the result has the shape of whole blocks.
# Do: Cut the padding off, or don't pad: Pallas throws away what sticks out.
# Breaks: Returns 1
# Fails: test_blocks_that_stick_out, test_a_batch
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    x = jnp.pad(x, ((0, -m % rows), (0, -n % columns)))
    bias = jnp.pad(bias, (0, -n % columns))
    return run(x, bias, block, (pl.cdiv(m, rows), pl.cdiv(n, columns)))


# %% float_result
# The result is always float32.
# Do: Give `out_shape` the dtype of `x`.
# Breaks: Returns 1
# Fails: test_details
def add_kernel(x, bias, block):
    grid = pl.cdiv(x.shape[0], block[0]), pl.cdiv(x.shape[1], block[1])

    def kernel(x_ref, bias_ref, out_ref):
        out_ref[...] = (x_ref[...] + bias_ref[...]).astype(out_ref.dtype)

    return run(x, bias, block, grid, dtype=jnp.float32, kernel=kernel)


# %% no_kernel
# Plain addition, without any kernel.
# Do: Write a kernel, and call it with `pl.pallas_call`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_grid_has_a_point_for_each_block, test_each_point_works_on_one_block
def add_kernel(x, bias, block):
    return x + bias


# %% one_block
# The kernel runs once, on whole arrays.
# Do: Cut the arrays into blocks by `pl.BlockSpec`, and give the grid a point for each.
# Breaks: Returns 3
# Fails: test_the_grid_has_a_point_for_each_block, test_each_point_works_on_one_block
def add_kernel(x, bias, block):
    return run(x, bias, x.shape, (1, 1))


# %% whole_bias
# The kernel gets the whole bias, and cuts its part out.
# Do: Give the bias a `pl.BlockSpec` of its own, with blocks of one axis.
# Breaks: Returns 3
# Fails: test_the_grid_has_a_point_for_each_block
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    down, right = pl.cdiv(m, rows), pl.cdiv(n, columns)
    bias = jnp.pad(bias, (0, right * columns - n))
    tile = pl.BlockSpec(block, lambda i, j: (i, j))

    def kernel(x_ref, bias_ref, out_ref):
        start = pl.program_id(1) * columns
        out_ref[...] = x_ref[...] + bias_ref[pl.ds(start, columns)]

    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(down, right),
        in_specs=[tile, pl.BlockSpec(bias.shape, lambda i, j: (0,))],
        out_specs=tile,
        interpret=True,
    )(x, bias)


# %% whole_arrays_in_each_round
# Each point of the grid adds whole arrays, and keeps its own block.
# Do: Let `in_specs` say which blocks the kernel gets, and add these alone.
# Breaks: Returns 3
# Fails: test_the_grid_has_a_point_for_each_block, test_each_point_works_on_one_block
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    down, right = pl.cdiv(m, rows), pl.cdiv(n, columns)
    wide = (down * rows, right * columns)
    x = jnp.pad(x, ((0, wide[0] - m), (0, wide[1] - n)))
    bias = jnp.pad(bias, (0, wide[1] - n))

    def kernel(x_ref, bias_ref, out_ref):
        i, j = pl.program_id(0), pl.program_id(1)
        total = x_ref[...] + bias_ref[...]
        out_ref[...] = jax.lax.dynamic_slice(total, (i * rows, j * columns), block)

    out = pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct(wide, x.dtype),
        grid=(down, right),
        out_specs=pl.BlockSpec(block, lambda i, j: (i, j)),
        interpret=True,
    )(x, bias)
    return out[:m, :n]


# %% sum_outside
# The sum is made at once, and the kernel copies its blocks.
# Do: Give both arrays to the kernel, and add their blocks there.
# Breaks: Returns 3
# Fails: test_the_grid_has_a_point_for_each_block
def add_kernel(x, bias, block):
    grid = tuple(pl.cdiv(n, size) for n, size in zip(x.shape, block, strict=True))
    tile = pl.BlockSpec(block, lambda i, j: (i, j))
    return pl.pallas_call(
        lambda total_ref, out_ref: out_ref.__setitem__(..., total_ref[...]),
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=grid,
        in_specs=[tile],
        out_specs=tile,
        interpret=True,
    )(x + bias)


# %% once missed


# %% sums_in_float32
# Numbers are added in float32. So a sum beyond the range of int8 is clamped.
# Breaks: Details 1
# Fails: test_details
def add(x_ref, bias_ref, out_ref):
    total = x_ref[...].astype(jnp.float32) + bias_ref[...].astype(jnp.float32)
    out_ref[...] = total.astype(out_ref.dtype)


# %% padded_by_numpy
# NumPy pads the arrays to whole blocks, and can't look at an array that is traced.
# Breaks: Returns 4
# Fails: test_blocks_that_fit, test_blocks_that_stick_out, test_the_grid_has_a_point_for_each_block,
# test_each_point_works_on_one_block, test_a_batch, test_details
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    down, right = -m % rows, -n % columns
    wide = np.pad(np.asarray(x), ((0, down), (0, right)))
    grid = (m + down) // rows, (n + right) // columns
    return run(wide, np.pad(np.asarray(bias), (0, right)), block, grid)[:m, :n]


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_without_nan": "The text says nothing of NaN.",
    "argument_never_empty": "The text asks for at least one row and one column.",
}

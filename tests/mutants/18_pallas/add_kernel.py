"""Wrong answers to add_kernel; each cell is a suffix to the solution."""

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


# %% rounded_down
# The grid is rounded down, so the last blocks are missing where the block doesn't divide.
# At most half of the points.
# Fails: test_blocks_that_stick_out, test_the_grid_has_a_point_for_each_block,
# test_any_dtype_and_batches
def add_kernel(x, bias, block):
    return run(x, bias, block, (x.shape[0] // block[0], x.shape[1] // block[1]))


# %% elements_counted
# The maps give the first element of a block, and not its number.
# At most half of the points.
# Fails: test_blocks_that_fit, test_blocks_that_stick_out, test_the_grid_has_a_point_for_each_block,
# test_each_point_works_on_one_block, test_any_dtype_and_batches
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    grid = pl.cdiv(m, rows), pl.cdiv(n, columns)
    return run(
        x, bias, block, grid, lambda i, j: (i * rows, j * columns), lambda i, j: (j * columns,)
    )


# %% first_bias
# Every block gets the first block of the bias.
# Fails: test_blocks_that_fit, test_blocks_that_stick_out, test_the_grid_has_a_point_for_each_block,
# test_each_point_works_on_one_block, test_any_dtype_and_batches
def add_kernel(x, bias, block):
    grid = pl.cdiv(x.shape[0], block[0]), pl.cdiv(x.shape[1], block[1])
    return run(x, bias, block, grid, of_bias=lambda i, j: (0,))


# %% bias_by_rows
# The block of the bias follows the rows.
# Fails: test_blocks_that_fit, test_blocks_that_stick_out, test_the_grid_has_a_point_for_each_block,
# test_each_point_works_on_one_block, test_any_dtype_and_batches
def add_kernel(x, bias, block):
    grid = pl.cdiv(x.shape[0], block[0]), pl.cdiv(x.shape[1], block[1])
    return run(x, bias, block, grid, of_bias=lambda i, j: (i,))


# %% one_too_many
# The grid has one more row of blocks than are needed, in any case.
# Fails: test_the_grid_has_a_point_for_each_block
def add_kernel(x, bias, block):
    return run(x, bias, block, (x.shape[0] // block[0] + 1, pl.cdiv(x.shape[1], block[1])))


# %% no_kernel
# Plain addition, without any kernel.
# At most half of the points.
# Fails: test_the_grid_has_a_point_for_each_block, test_each_point_works_on_one_block
def add_kernel(x, bias, block):
    return x + bias


# %% one_block
# The kernel runs once, on whole arrays.
# Fails: test_the_grid_has_a_point_for_each_block, test_each_point_works_on_one_block
def add_kernel(x, bias, block):
    return run(x, bias, x.shape, (1, 1))


# %% whole_arrays_in_each_round
# Each point of the grid adds whole arrays, and keeps its own block.
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


# %% whole_bias
# The kernel gets the whole bias, and cuts its part out.
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


# %% float_result
# The result is always float32.
# Fails: test_any_dtype_and_batches
def add_kernel(x, bias, block):
    grid = pl.cdiv(x.shape[0], block[0]), pl.cdiv(x.shape[1], block[1])
    return run(x, bias, block, grid, dtype=jnp.float32)


# %% padded_to_the_block
# The padding isn't cut off, so the result has the shape of whole blocks.
# Fails: test_blocks_that_stick_out, test_the_grid_has_a_point_for_each_block,
# test_any_dtype_and_batches
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    x = jnp.pad(x, ((0, -m % rows), (0, -n % columns)))
    bias = jnp.pad(bias, (0, -n % columns))
    return run(x, bias, block, (pl.cdiv(m, rows), pl.cdiv(n, columns)))


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty": "The text asks for at least one row and one column.",
}


# %% numpy_for_a_known_x
# NumPy pads both arrays if x is known, but in a program the bias may have no value yet.
# Fails: test_any_dtype_and_batches
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    pad = jnp.pad if isinstance(x, jax.core.Tracer) else np.pad
    grid = pl.cdiv(m, rows), pl.cdiv(n, columns)
    x = pad(x, ((0, -m % rows), (0, -n % columns)))
    return run(jnp.asarray(x), jnp.asarray(pad(bias, (0, -n % columns))), block, grid)[:m, :n]


# %% sums_in_float32
# Small numbers are added in float32. So a sum beyond the range of int8 is clamped.
# Fails: test_any_dtype_and_batches
def add_kernel(x, bias, block, solution=add_kernel):
    if x.dtype.itemsize == 4:
        return solution(x, bias, block)
    return solution(x.astype(jnp.float32), bias.astype(jnp.float32), block).astype(x.dtype)


# %% signed_integers
# All integers come out as signed ones.
# Fails: test_any_dtype_and_batches
def add_kernel(x, bias, block, solution=add_kernel):
    found = solution(x, bias, block)
    return found.astype(f"int{8 * x.dtype.itemsize}") if x.dtype.kind == "u" else found


# %% one_bias_for_a_batch
# Under `vmap`, one bias for all examples is taken for a batch of biases.
# Fails: test_any_dtype_and_batches
def add_kernel(x, bias, block, solution=add_kernel):
    @jax.custom_batching.custom_vmap
    def one(x, bias):
        return solution(x, bias, block)

    @one.def_vmap
    def batch(size, batched, xs, biases):
        return jax.lax.map(lambda pair: one(*pair), (xs, biases)), True

    return one(x, bias)

"""What learners get wrong in tiled_matmul; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def product(x_ref, w_ref):
    return jnp.dot(x_ref[...], w_ref[...], preferred_element_type=jnp.float32)


def run(
    x, w, block, kernel, dtype=jnp.float32, of_x=None, of_w=None, of_result=None, turn=(0, 1, 2)
):
    (m, k), n, (rows, inner, columns) = x.shape, w.shape[1], block
    grid = m // rows, n // columns, k // inner
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), dtype),
        grid=tuple(grid[axis] for axis in turn),
        in_specs=[
            pl.BlockSpec((rows, inner), of_x or (lambda i, j, s: (i, s))),
            pl.BlockSpec((inner, columns), of_w or (lambda i, j, s: (s, j))),
        ],
        out_specs=pl.BlockSpec((rows, columns), of_result or (lambda i, j, s: (i, j))),
        interpret=True,
    )(x, w)


# %% no_start
# The sum begins with whatever is in the block of the result.
# Do: Fill the block of the result with zeros in the first round of each sum.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_one_block_along_the_sum, test_several_blocks_along_the_sum, test_sums_are_float32,
# test_each_round_multiplies_two_blocks, test_details
def add_product(x_ref, w_ref, out_ref):
    out_ref[...] += product(x_ref, w_ref)


# %% overwritten
# Each round writes its product over the one before, so only the last one is left.
# Do: Add each product to what the block holds already.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_several_blocks_along_the_sum, test_sums_are_float32,
# test_each_round_multiplies_two_blocks, test_details
def add_product(x_ref, w_ref, out_ref):
    out_ref[...] = product(x_ref, w_ref)


# %% started_in_each_round
# Every round begins with zeros, so only the last product is left.
# Do: Begin with zeros in the first round of a sum alone: `pl.when` makes a condition.
# Breaks: Returns 1
# Fails: test_several_blocks_along_the_sum, test_sums_are_float32,
# test_each_round_multiplies_two_blocks, test_details
def add_product(x_ref, w_ref, out_ref):
    out_ref[...] = jnp.zeros_like(out_ref)
    out_ref[...] += product(x_ref, w_ref)


# %% started_once
# Only the very first point of the grid begins with zeros.
# Do: Each block of the result needs its own zeros. Only the number along the sum has to be 0.
# Breaks: Returns 1
# Fails: test_one_block_along_the_sum, test_several_blocks_along_the_sum, test_sums_are_float32,
# test_each_round_multiplies_two_blocks, test_details
def add_product(x_ref, w_ref, out_ref):
    first = (pl.program_id(0) == 0) & (pl.program_id(1) == 0) & (pl.program_id(2) == 0)

    @pl.when(first)
    def start():
        out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += product(x_ref, w_ref)


# %% sum_of_inputs_dtype
# The sum has the dtype of the inputs, and becomes float32 in the end.
# Do: Make the result float32 from the start, in `out_shape`.
# Breaks: Returns 1
# Fails: test_sums_are_float32
def tiled_matmul(x, w, block):
    def kernel(x_ref, w_ref, out_ref):
        @pl.when(pl.program_id(2) == 0)
        def start():
            out_ref[...] = jnp.zeros_like(out_ref)

        out_ref[...] += product(x_ref, w_ref).astype(out_ref.dtype)

    return run(x, w, block, kernel, x.dtype).astype(jnp.float32)


# %% rounded_products
# The products of blocks have the dtype of the inputs, and only their sum is float32.
# Do: Ask `jnp.dot` for float32 products by `preferred_element_type`.
# Breaks: Returns 1
# Fails: test_sums_are_float32
def product(x_ref, w_ref):
    return x_ref[...] @ w_ref[...]


def add_product(x_ref, w_ref, out_ref):
    @pl.when(pl.program_id(2) == 0)
    def start():
        out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += product(x_ref, w_ref)


# %% half_result
# The result has the dtype of the inputs.
# Do: Return the float32 sum as it is.
# Breaks: Returns 1
# Fails: test_sums_are_float32
def tiled_matmul(x, w, block, solution=tiled_matmul):
    return solution(x, w, block).astype(x.dtype)


# %% sum_first
# The first axis goes along the sum. A TPU leaves a block of the result before its sum is complete.
# Do: Let the last axis of the grid go along the sum.
# Breaks: Returns 3
# Fails: test_the_grid_has_a_point_for_each_product
def tiled_matmul(x, w, block):
    def kernel(x_ref, w_ref, out_ref):
        @pl.when(pl.program_id(0) == 0)
        def begin():
            out_ref[...] = jnp.zeros_like(out_ref)

        out_ref[...] += product(x_ref, w_ref)

    maps = {
        "of_x": lambda s, i, j: (i, s),
        "of_w": lambda s, i, j: (s, j),
        "of_result": lambda s, i, j: (i, j),
    }
    return run(x, w, block, kernel, **maps, turn=(2, 0, 1))


# %% maps_swapped
# The numbers of the blocks of w are the wrong way round.
# Do: The block of `w` has the number of the sum first, and then the number of the column.
# Breaks: Returns 1
# Fails: test_one_block_along_the_sum, test_several_blocks_along_the_sum, test_sums_are_float32,
# test_each_round_multiplies_two_blocks, test_details
def tiled_matmul(x, w, block):
    return run(x, w, block, adding, of_w=lambda i, j, s: (j, s))


def adding(x_ref, w_ref, out_ref):
    @pl.when(pl.program_id(2) == 0)
    def start():
        out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += product(x_ref, w_ref)


# %% no_kernel
# A plain product, without any kernel.
# Do: Write a kernel, and call it with `pl.pallas_call`.
# Breaks: Returns 2
# Fails: test_the_grid_has_a_point_for_each_product, test_each_round_multiplies_two_blocks
def tiled_matmul(x, w, block):
    return jnp.dot(x, w, preferred_element_type=jnp.float32)


# %% whole_sum_in_a_block
# The kernel gets whole rows and whole columns, and no axis of the grid adds up.
# Do: Cut the sum into blocks, too, and give the grid an axis for it.
# Breaks: Returns 3
# Fails: test_the_grid_has_a_point_for_each_product, test_each_round_multiplies_two_blocks
def tiled_matmul(x, w, block):
    def kernel(x_ref, w_ref, out_ref):
        out_ref[...] = product(x_ref, w_ref)

    return run(x, w, (block[0], x.shape[1], block[2]), kernel)


# %% whole_matrix
# The kernel gets all of the second matrix, and cuts its block out.
# Do: Give `w` a `pl.BlockSpec` with blocks of (inner, columns).
# Breaks: Returns 4
# Fails: test_the_grid_has_a_point_for_each_product
def tiled_matmul(x, w, block):
    (m, k), n, (rows, inner, columns) = x.shape, w.shape[1], block

    def kernel(x_ref, w_ref, out_ref):
        first_row = pl.program_id(2) * inner
        first_column = pl.program_id(1) * columns

        @pl.when(pl.program_id(2) == 0)
        def start():
            out_ref[...] = jnp.zeros_like(out_ref)

        w_block = w_ref[pl.ds(first_row, inner), pl.ds(first_column, columns)]
        out_ref[...] += jnp.dot(x_ref[...], w_block, preferred_element_type=jnp.float32)

    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), jnp.float32),
        grid=(m // rows, n // columns, k // inner),
        in_specs=[
            pl.BlockSpec((rows, inner), lambda i, j, s: (i, s)),
            pl.BlockSpec((k, n), lambda i, j, s: (0, 0)),
        ],
        out_specs=pl.BlockSpec((rows, columns), lambda i, j, s: (i, j)),
        interpret=True,
    )(x, w)


# %% product_outside
# The whole matrices are multiplied, and the first round of the kernel copies a finished block.
# Do: Give both matrices to the kernel, and multiply two of their blocks in each round.
# Breaks: Returns 4
# Fails: test_the_grid_has_a_point_for_each_product
def tiled_matmul(x, w, block):
    def kernel(done_ref, out_ref):
        is_first = pl.program_id(2) == 0

        @pl.when(is_first)
        def start():
            out_ref[...] = jnp.zeros_like(out_ref)

        out_ref[...] += jnp.where(is_first, done_ref[...], 0)

    (m, k), n, (rows, inner, columns) = x.shape, w.shape[1], block
    tile = pl.BlockSpec((rows, columns), lambda i, j, s: (i, j))
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), jnp.float32),
        grid=(m // rows, n // columns, k // inner),
        in_specs=[tile],
        out_specs=tile,
        interpret=True,
    )(jnp.matmul(x, w, preferred_element_type=jnp.float32))


# %% once missed


# %% whole_product_in_each_round
# Each point of the grid multiplies whole rows and columns, and the last round counts.
# Breaks: Returns 4
# Fails: test_the_grid_has_a_point_for_each_product, test_each_round_multiplies_two_blocks
def tiled_matmul(x, w, block):
    (m, k), n, (rows, inner, columns) = x.shape, w.shape[1], block

    def kernel(x_ref, w_ref, out_ref):
        out_ref[...] = product(x_ref, w_ref)

    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), jnp.float32),
        grid=(m // rows, n // columns, k // inner),
        in_specs=[
            pl.BlockSpec((rows, k), lambda i, j, s: (i, 0)),
            pl.BlockSpec((k, columns), lambda i, j, s: (0, j)),
        ],
        out_specs=pl.BlockSpec((rows, columns), lambda i, j, s: (i, j)),
        interpret=True,
    )(x, w)


# %% first_of_a_batch
# Under `vmap` all examples get the second matrix of the first one.
# Breaks: Returns 5
# Fails: test_details
def tiled_matmul(x, w, block, solution=tiled_matmul):
    @jax.custom_batching.custom_vmap
    def multiply(x, w):
        return solution(x, w, block)

    @multiply.def_vmap
    def of_a_batch(size, batched, xs, ws):
        w = ws[0] if batched[1] else ws
        return jnp.stack([solution(x, w, block) for x in xs]), True

    return multiply(x, w)


# %% zeros_skipped
# A block of zeros is skipped, as if 0 times NaN was 0.
# Breaks: Details 1
# Fails: test_each_round_multiplies_two_blocks, test_details
def tiled_matmul(x, w, block):
    def kernel(x_ref, w_ref, out_ref):
        @pl.when(pl.program_id(2) == 0)
        def start():
            out_ref[...] = jnp.zeros_like(out_ref)

        @pl.when(jnp.any(x_ref[...] != 0))
        def add():
            out_ref[...] += product(x_ref, w_ref)

    return run(x, w, block, kernel)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "argument_never_empty": "The text asks for at least one row and one column.",
}

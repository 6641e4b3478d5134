"""Wrong answers to tiled_matmul; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
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
# At most half of the points.
# Fails: test_one_block_along_the_sum, test_several_blocks_along_the_sum, test_sums_are_float32,
# test_the_grid_has_a_point_for_each_product, test_the_work_is_that_of_one_product
def add_product(x_ref, w_ref, out_ref):
    out_ref[...] += product(x_ref, w_ref)


# %% overwritten
# Each round writes its product over the one before, so only the last one is left.
# At most half of the points.
# Fails: test_several_blocks_along_the_sum, test_sums_are_float32,
# test_the_grid_has_a_point_for_each_product, test_the_work_is_that_of_one_product
def add_product(x_ref, w_ref, out_ref):
    out_ref[...] = product(x_ref, w_ref)


# %% started_in_each_round
# Every round begins with zeros, so only the last product is left.
# Fails: test_several_blocks_along_the_sum, test_sums_are_float32,
# test_the_grid_has_a_point_for_each_product, test_the_work_is_that_of_one_product
def add_product(x_ref, w_ref, out_ref):
    out_ref[...] = jnp.zeros_like(out_ref)
    out_ref[...] += product(x_ref, w_ref)


# %% started_once
# Only the very first point of the grid begins with zeros.
# Fails: test_one_block_along_the_sum, test_several_blocks_along_the_sum, test_sums_are_float32,
# test_the_grid_has_a_point_for_each_product, test_the_work_is_that_of_one_product
def add_product(x_ref, w_ref, out_ref):
    first = (pl.program_id(0) == 0) & (pl.program_id(1) == 0) & (pl.program_id(2) == 0)

    @pl.when(first)
    def start():
        out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += product(x_ref, w_ref)


# %% sum_of_inputs_dtype
# The sum has the dtype of the inputs, and becomes float32 in the end.
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
# Fails: test_sums_are_float32
def tiled_matmul(x, w, block, solution=tiled_matmul):
    return solution(x, w, block).astype(x.dtype)


# %% sum_first
# The first axis goes along the sum. A TPU leaves a block of the result before its sum is complete.
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
# Fails: test_one_block_along_the_sum, test_several_blocks_along_the_sum, test_sums_are_float32,
# test_the_grid_has_a_point_for_each_product, test_the_work_is_that_of_one_product
def tiled_matmul(x, w, block):
    return run(x, w, block, adding, of_w=lambda i, j, s: (j, s))


def adding(x_ref, w_ref, out_ref):
    @pl.when(pl.program_id(2) == 0)
    def start():
        out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += product(x_ref, w_ref)


# %% no_kernel
# A plain product, without any kernel.
# Fails: test_the_grid_has_a_point_for_each_product, test_the_work_is_that_of_one_product
def tiled_matmul(x, w, block):
    return jnp.dot(x, w, preferred_element_type=jnp.float32)


# %% whole_sum_in_a_block
# The kernel gets whole rows and whole columns, and no axis of the grid adds up.
# Fails: test_the_grid_has_a_point_for_each_product
def tiled_matmul(x, w, block):
    def kernel(x_ref, w_ref, out_ref):
        out_ref[...] = product(x_ref, w_ref)

    return run(x, w, (block[0], x.shape[1], block[2]), kernel)


# %% whole_product_in_each_round
# Each point of the grid multiplies whole rows and columns, and the last round counts.
# Fails: test_the_grid_has_a_point_for_each_product, test_the_work_is_that_of_one_product
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


# %% whole_matrix
# The kernel gets all of the second matrix, and cuts its block out.
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


# %% first_of_a_batch
# Under `vmap` all examples get the second matrix of the first one.
# Fails: test_several_blocks_along_the_sum
def tiled_matmul(x, w, block, solution=tiled_matmul):
    @jax.custom_batching.custom_vmap
    def multiply(x, w):
        return solution(x, w, block)

    @multiply.def_vmap
    def of_a_batch(size, batched, xs, ws):
        w = ws[0] if batched[1] else ws
        return jnp.stack([solution(x, w, block) for x in xs]), True

    return multiply(x, w)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "argument_never_empty": "The text asks for at least one row and one column.",
}


# %% numpy_for_a_known_x
# NumPy takes both matrices if x is known, but in a program w may have no value yet.
# Fails: test_several_blocks_along_the_sum
def tiled_matmul(x, w, block, solution=tiled_matmul):
    if not isinstance(x, jax.core.Tracer):
        x, w = jnp.asarray(np.asarray(x)), jnp.asarray(np.asarray(w))
    return solution(x, w, block)


# %% one_matrix_for_a_batch
# Under `vmap`, one matrix for all examples is taken for a batch.
# Fails: test_several_blocks_along_the_sum
def tiled_matmul(x, w, block, solution=tiled_matmul):
    @jax.custom_batching.custom_vmap
    def one(x, w):
        return solution(x, w, block)

    @one.def_vmap
    def batch(size, batched, xs, ws):
        return jax.lax.map(lambda pair: one(*pair), (xs, ws)), True

    return one(x, w)


# %% one_kind_of_half_precision
# Both kinds of half precision become float16, in which large numbers are infinite.
# Fails: test_sums_are_float32
def tiled_matmul(x, w, block, solution=tiled_matmul):
    if x.dtype.itemsize == 2:
        x, w = x.astype(jnp.float16), w.astype(jnp.float16)
    return solution(x, w, block)


# %% first_128
# Of a longer block, only the first 128 numbers along the sum are multiplied.
# Fails: test_several_blocks_along_the_sum
def product(x_ref, w_ref):
    return jnp.dot(x_ref[:, :128], w_ref[:128, :], preferred_element_type=jnp.float32)


def tiled_matmul(x, w, block):
    return run(x, w, block, adding)


def adding(x_ref, w_ref, out_ref):
    @pl.when(pl.program_id(2) == 0)
    def start():
        out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += product(x_ref, w_ref)

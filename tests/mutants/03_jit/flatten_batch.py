"""Wrong answers to flatten_batch; each cell is a suffix to the solution."""

import math

import jax.numpy as jnp
import numpy as np


# %% columns
# The batch becomes the columns; a square table has the same shape.
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_the_dtype_is_kept
def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:])).T


# %% empty_batch_of_floats
# An empty batch becomes an array of zeros, which is float32.
# Fails: test_an_empty_batch_keeps_its_width
def flatten_batch(x, solution=flatten_batch):
    if len(x) == 0:
        return jnp.zeros((0, math.prod(x.shape[1:])))
    return solution(x)


# %% empty_axes_left_out
# For an empty batch the lengths are multiplied without the zeros, also those of other axes.
# Fails: test_an_empty_batch_keeps_its_width
def flatten_batch(x):
    return x.reshape(x.shape[0], -1 if x.size else math.prod(n for n in x.shape[1:] if n))


# %% everything
# The batch axis is flattened, too.
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_the_dtype_is_kept
def flatten_batch(x):
    return x.ravel()


# %% first_axis_fastest
# The elements of a row are in Fortran order.
# Fails: test_each_example_becomes_a_row, test_it_survives_jit, test_the_dtype_is_kept
def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:]), order="F")


# %% float_buffer
# The rows are copied into a buffer of zeros, which is float32.
# Fails: test_an_empty_batch_keeps_its_width, test_the_dtype_is_kept
def flatten_batch(x):
    rows = jnp.zeros((x.shape[0], math.prod(x.shape[1:])))
    for b in range(x.shape[0]):
        rows = rows.at[b].set(x[b].ravel())
    return rows


# %% real_buffer
# The rows are copied into a buffer of float32 or int32, which drops imaginary parts.
# Fails: test_the_dtype_is_kept
def flatten_batch(x):
    wide = jnp.int32 if jnp.issubdtype(x.dtype, jnp.integer) else jnp.float32
    rows = jnp.zeros((x.shape[0], math.prod(x.shape[1:])), wide)
    for b in range(x.shape[0]):
        rows = rows.at[b].set(x[b].ravel().astype(wide))
    return rows.astype(x.dtype)


# %% channels_first
# Images, [B, height, width, channels], are flattened with their channels first.
# Fails: test_each_example_becomes_a_row
def flatten_batch(x, solution=flatten_batch):
    return solution(jnp.moveaxis(x, -1, 1) if x.ndim == 4 else x)


# %% four_axes_at_most
# There is a case for each number of axes, up to four of them.
# Fails: test_each_example_becomes_a_row
def flatten_batch(x):
    batch, a, b, c = (*x.shape, 1, 1, 1)[:4]
    return x.reshape(batch, a * b * c)


# %% guessed_width
# JAX computes a length of -1 by division, which fails for a batch of 0.
# At most half of the points.
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
def flatten_batch(x):
    return x.reshape(x.shape[0], -1)


# %% numpy_product
# `np.prod` of an empty tuple is the float 1.0, which isn't a length.
# Fails: test_vectors_and_single_numbers_are_examples_too, test_an_empty_batch_keeps_its_width,
# test_it_survives_jit, test_the_dtype_is_kept
def flatten_batch(x):
    return x.reshape(x.shape[0], np.prod(x.shape[1:]))


# %% numpy_reshape
# NumPy does the work, which JAX can't trace.
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
def flatten_batch(x):
    flat = np.asarray(x).reshape(x.shape[0], math.prod(x.shape[1:]))
    return jnp.asarray(flat)


# %% size_over_batch
# The length is found by division, and an empty batch gets rows of length 0.
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
def flatten_batch(x):
    width = x.size // len(x) if len(x) else 0
    return x.reshape(len(x), width)


# %% squeezed
# `squeeze` drops all axes of length 1, that of a batch of one as well.
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_the_dtype_is_kept
def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:])).squeeze()


# %% traced_product
# The length is a product by `jnp`, which is a tracer under `jit`, as in a tutorial.
# At most half of the points.
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
def flatten_batch(x):
    width = jnp.prod(jnp.array(x.shape[1:], dtype=int))
    return x.reshape(x.shape[0], width)


# %% two_axes_only
# The axes are unpacked by name, as if there were always three.
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_the_dtype_is_kept
def flatten_batch(x):
    batch, height, width = x.shape
    return x.reshape(batch, height * width)


# %% column_of_floats
# Single numbers are written into a column of zeros, which is float32.
# Fails: test_the_dtype_is_kept
def flatten_batch(x, solution=flatten_batch):
    if x.ndim == 1:
        return jnp.zeros((len(x), 1)).at[:, 0].set(x)
    return solution(x)


# %% empty_rows_of_floats
# Rows without elements are made anew, as float32.
# Fails: test_an_empty_batch_keeps_its_width
def flatten_batch(x, solution=flatten_batch):
    rows = solution(x)
    return rows if rows.shape[1] else jnp.zeros(rows.shape)


# %% short_indices
# The indices have 8 bits, so an axis of more than 256 is read again from its start.
# Fails: test_it_survives_jit
def flatten_batch(x):
    x = x[..., None]
    index = np.indices(x.shape[1:]).reshape(x.ndim - 1, -1).astype(np.uint8)
    return x[(slice(None), *index)]


# %% traced_product_for_images
# Two lengths are multiplied by Python, and three of them by `jnp`.
# Fails: test_it_survives_jit
def flatten_batch(x, solution=flatten_batch):
    if x.ndim < 4:
        return solution(x)
    return x.reshape(x.shape[0], int(jnp.prod(jnp.array(x.shape[1:]))))

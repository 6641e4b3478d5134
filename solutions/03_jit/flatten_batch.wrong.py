"""What learners get wrong in flatten_batch; each cell is a suffix to the solution."""

import math

import jax.numpy as jnp
import numpy as np


# %% guessed_width
# JAX computes a length of -1 by division, which fails for a batch of 0.
# Do: Compute the length of a row from the shape. JAX can't compute -1 for a batch of 0.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_details
def flatten_batch(x):
    return x.reshape(x.shape[0], -1)


# %% traced_product
# The length is a product by `jnp`, which is a tracer under `jit`, as in a tutorial.
# Do: Multiply the lengths with Python. Values computed with `jnp` are unknown under `jit`.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
def flatten_batch(x):
    width = jnp.prod(jnp.array(x.shape[1:], dtype=int))
    return x.reshape(x.shape[0], width)


# %% numpy_product
# `np.prod` of an empty tuple is the float 1.0, which isn't a length.
# Do: Convert the product to an int. For no axes, `np.prod` returns the float 1.0.
# Breaks: Returns 4
# Fails: test_vectors_and_single_numbers_are_examples_too, test_an_empty_batch_keeps_its_width
def flatten_batch(x):
    return x.reshape(x.shape[0], np.prod(x.shape[1:]))


# %% numpy_reshape
# NumPy does the work, which JAX can't trace.
# Do: Reshape with `jnp`. NumPy needs the values of the array.
# Breaks: Returns 5
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit
def flatten_batch(x):
    flat = np.asarray(x).reshape(x.shape[0], math.prod(x.shape[1:]))
    return jnp.asarray(flat)


# %% size_over_batch
# The length is computed by division, so an empty batch gets rows of length 0.
# Do: Don't divide by the number of rows. It may be 0.
# Breaks: Returns 3
# Fails: test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_details
def flatten_batch(x):
    width = x.size // len(x) if len(x) else 0
    return x.reshape(len(x), width)


# %% columns
# The batch becomes the columns; a square table has the same shape.
# Do: Keep the batch as the first axis.
# Breaks: Returns 1
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_details
def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:])).T


# %% everything
# The batch axis is also flattened.
# Do: Keep the batch as a separate axis.
# Breaks: Returns 1
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width, test_it_survives_jit, test_details
def flatten_batch(x):
    return x.ravel()


# %% first_axis_fastest
# The elements of a row are in Fortran order.
# Do: Use Python's usual order, with the last axis varying fastest.
# Breaks: Returns 2
# Fails: test_each_example_becomes_a_row, test_it_survives_jit, test_details
def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:]), order="F")


# %% float_buffer
# The rows are copied into a buffer of zeros, which is float32.
# Do: Reshape `x` itself. A buffer of zeros is float32.
# Breaks: Details 1
# Fails: test_details
def flatten_batch(x):
    rows = jnp.zeros((x.shape[0], math.prod(x.shape[1:])))
    for b in range(x.shape[0]):
        rows = rows.at[b].set(x[b].ravel())
    return rows


# %% squeezed
# `squeeze` drops all axes of length 1, including that of a batch of one.
# Do: Don't squeeze. An axis of length 1 may be the batch.
# Breaks: Returns 1
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width
def flatten_batch(x):
    return x.reshape(x.shape[0], math.prod(x.shape[1:])).squeeze()


# %% two_axes_only
# The axes are unpacked by name, as if there were always three.
# Do: Use the length of `x.shape`. An example may have any number of axes.
# Breaks: Returns 2
# Fails: test_each_example_becomes_a_row, test_vectors_and_single_numbers_are_examples_too,
# test_an_empty_batch_keeps_its_width, test_it_survives_jit
def flatten_batch(x):
    batch, height, width = x.shape
    return x.reshape(batch, height * width)


# %% once missed


# %% empty_axes_left_out
# For an empty batch, the lengths are multiplied without the zeros, including those of other axes.
# Breaks: Details 2, Details 3
# Fails: test_details
def flatten_batch(x):
    return x.reshape(x.shape[0], -1 if x.size else math.prod(n for n in x.shape[1:] if n))


# %% empty_batch_of_floats
# An empty batch becomes an array of zeros, which is float32.
# Breaks: Details 1
# Fails: test_details
def flatten_batch(x, solution=flatten_batch):
    if len(x) == 0:
        return jnp.zeros((0, math.prod(x.shape[1:])))
    return solution(x)


# %% channels_first
# Images, [B, height, width, channels], are flattened with their channels first.
# Breaks: Returns 2
# Fails: test_each_example_becomes_a_row
def flatten_batch(x, solution=flatten_batch):
    return solution(jnp.moveaxis(x, -1, 1) if x.ndim == 4 else x)


# %% four_axes_at_most
# There is a case for each number of axes, up to four.
# Breaks: Returns 2
# Fails: test_each_example_becomes_a_row
def flatten_batch(x):
    batch, a, b, c = (*x.shape, 1, 1, 1)[:4]
    return x.reshape(batch, a * b * c)

"""What the suite of flatten_batch once missed; each cell is a suffix to the solution."""

import math

import jax.numpy as jnp


# %% empty_axes_left_out
# For an empty batch the lengths are multiplied without the zeros, also those of other axes.
# Fails: test_details
def flatten_batch(x):
    return x.reshape(x.shape[0], -1 if x.size else math.prod(n for n in x.shape[1:] if n))


# %% empty_batch_of_floats
# An empty batch becomes an array of zeros, which is float32.
# Fails: test_details
def flatten_batch(x, solution=flatten_batch):
    if len(x) == 0:
        return jnp.zeros((0, math.prod(x.shape[1:])))
    return solution(x)


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

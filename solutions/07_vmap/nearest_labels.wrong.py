"""Wrong answers to nearest_labels; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% as_it_was
# Python handles one query at a time.
# Do: Ask how many operations one call sends to the device.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_it_is_fast
def nearest_labels(points, labels, queries):
    found = [labels[jnp.argmin(jnp.sum((points - q) ** 2, axis=1))] for q in queries]
    return jnp.stack(found)


# %% compiled_in_each_call
# `jit` is inside the function, around a function that is new in each call.
# Do: Ask what `jit` keeps from one call to the next.
# Breaks: Returns 4
# Fails: test_it_is_fast
def nearest_labels(points, labels, queries):
    def label(query):
        return labels[jnp.argmin(jnp.sum((points - query) ** 2, axis=1))]

    return jax.jit(jax.vmap(label))(queries)


# %% unrolled
# The Python loop is compiled unchanged, with one copy of its body for each query.
# Do: Look at the size of the program for more queries.
# Breaks: Returns 5
# Fails: test_the_program_does_not_grow
@jax.jit
def nearest_labels(points, labels, queries):
    found = [labels[jnp.argmin(jnp.sum((points - q) ** 2, axis=1))] for q in queries]
    return jnp.stack(found)


# %% one_after_the_other
# A loop in the program handles one query at a time.
# Do: Turn the queries into one more axis.
# Breaks: Returns 5
# Fails: test_the_program_does_not_grow
@jax.jit
def nearest_labels(points, labels, queries):
    def label(query):
        return labels[jnp.argmin(jnp.sum((points - query) ** 2, axis=1))]

    return jax.lax.map(label, queries)


# %% other_axis
# The smallest distance is searched among the queries.
# Do: Ask which axis contains the points.
# Breaks: Returns 1
# Fails: test_each_query_gets_the_label_of_its_nearest_point, test_the_first_of_two_counts,
# test_the_program_does_not_grow
@jax.jit
def nearest_labels(points, labels, queries):
    squares = jnp.sum((points[None] - queries[:, None]) ** 2, axis=-1)
    return labels[jnp.argmin(squares, axis=0)]


# %% nearest_index
# The result is the index of the nearest point, not its label.
# Do: Look up the label.
# Breaks: Returns 1
# Fails: test_each_query_gets_the_label_of_its_nearest_point, test_the_first_of_two_counts,
# test_the_program_does_not_grow
@jax.jit
def nearest_labels(points, labels, queries):
    squares = jnp.sum((points[None] - queries[:, None]) ** 2, axis=-1)
    return jnp.argmin(squares, axis=1).astype(jnp.int32)


# %% last_of_two
# Of two equal distances, the last one counts.
# Do: Ask which of them comes first.
# Breaks: Returns 2
# Fails: test_the_first_of_two_counts
@jax.jit
def nearest_labels(points, labels, queries):
    squares = jnp.sum((points[None, ::-1] - queries[:, None]) ** 2, axis=-1)
    return labels[::-1][jnp.argmin(squares, axis=1)]


# %% once missed
# %% expanded_square
# The square is expanded, and far from 0 its digits cancel.
# Breaks: Returns 1
# Fails: test_each_query_gets_the_label_of_its_nearest_point
@jax.jit
def nearest_labels(points, labels, queries):
    return labels[jnp.argmin(jnp.sum(points**2, axis=1) - 2 * queries @ points.T, axis=1)]


# %% only_a_method
# NumPy finds the labels, but can't be part of a program.
# Breaks: Returns 3
# Fails: test_the_program_does_not_grow
def nearest_labels(points, labels, queries):
    steps = np.asarray(points)[None] - np.asarray(queries)[:, None]
    return jnp.asarray(np.asarray(labels)[np.argmin(np.sum(steps**2, axis=-1), axis=1)])

"""What learners get wrong in map_axes; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% rows
# Rows are mapped instead of columns, and `f` of each row becomes a row.
# Do: Specify with `in_axes` and `out_axes` that axis 1 counts the columns.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_column_becomes_a_column, test_equal_lengths_hide_nothing,
# test_one_column_stays_a_column, test_the_program_does_not_grow
def map_axes(f, X, c):
    return jax.vmap(f, in_axes=(0, None))(X, c)


# %% results_in_rows
# The columns are mapped, but `f` of each column becomes a row of the result.
# Do: Specify with `out_axes` that axis 1 of the result counts the columns.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_column_becomes_a_column, test_equal_lengths_hide_nothing,
# test_one_column_stays_a_column, test_the_program_does_not_grow
def map_axes(f, X, c):
    return jax.vmap(f, in_axes=(1, None))(X, c)


# %% no_axes
# Without `in_axes`, `vmap` maps over axis 0 of `X`, and also of `c`.
# Do: Give each argument an entry in `in_axes`.
# Breaks: Returns 1
# Fails: test_each_column_becomes_a_column, test_equal_lengths_hide_nothing,
# test_one_column_stays_a_column, test_the_program_does_not_grow
def map_axes(f, X, c):
    return jax.vmap(f)(X, c)


# %% one_number_for_all
# One number for `in_axes` also applies to `c`, which has no such axis.
# Do: Use a tuple: None is the entry of an argument that all calls share.
# Breaks: Returns 1
# Fails: test_each_column_becomes_a_column, test_equal_lengths_hide_nothing,
# test_one_column_stays_a_column, test_the_program_does_not_grow
def map_axes(f, X, c):
    return jax.vmap(f, in_axes=1, out_axes=1)(X, c)


# %% paired_up
# `c` is split: each column gets one number of it.
# Do: Share `c` among all calls.
# Breaks: Returns 1
# Fails: test_each_column_becomes_a_column, test_equal_lengths_hide_nothing,
# test_one_column_stays_a_column, test_the_program_does_not_grow
def map_axes(f, X, c):
    return jax.vmap(f, in_axes=(1, 0), out_axes=1)(X, c)


# %% python_loop
# A Python loop over the columns: right values, but a copy of `f` in the program for each column.
# Do: Map `f` with `jax.vmap`.
# Breaks: Returns 2
# Fails: test_the_program_does_not_grow
def map_axes(f, X, c):
    return jnp.stack([f(X[:, j], c) for j in range(X.shape[1])], axis=1)


# %% whole_matrix
# `f` gets the whole matrix, but was written for a column.
# Do: Map `f` over the columns, so that it sees one at a time.
# Breaks: Returns 1
# Fails: test_each_column_becomes_a_column, test_equal_lengths_hide_nothing,
# test_one_column_stays_a_column, test_the_program_does_not_grow
def map_axes(f, X, c):
    return f(X, c)


# %% squeezed
# `squeeze` also drops the axis of a single column.
# Do: Don't squeeze. The mapped function returns the right axes.
# Breaks: Returns 1
# Fails: test_one_column_stays_a_column
def map_axes(f, X, c, solution=map_axes):
    return jnp.squeeze(solution(f, X, c))

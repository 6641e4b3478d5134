"""What learners get wrong in hamming_matrix; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% zipped
# One `vmap` without `in_axes` pairs the rows: n distances instead of n * m.
# Do: Map twice: one `vmap` for the rows of B, and one for those of A. `in_axes` specifies which one
# is fixed.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_a_set_of_one_row_keeps_both_axes, test_floats_are_compared_as_they_are,
# test_the_program_does_not_grow, test_details
def hamming_matrix(A, B):
    return jax.vmap(hamming)(A, B)


# %% mapped_once
# The tutorial's map for one vector gets a matrix; broadcasting hides it if the shapes fit.
# Do: Write the distance of two vectors, and map it twice.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_a_set_of_one_row_keeps_both_axes, test_floats_are_compared_as_they_are,
# test_the_program_does_not_grow, test_details
def hamming_matrix(A, B):
    return jax.vmap(lambda A, b: jnp.not_equal(A, b).sum(axis=0), in_axes=[None, 0])(A, B)


# %% columns_of_rows
# The two maps are in the wrong order: [m, n] instead of [n, m].
# Do: The map applied last makes the first axis. Map over the rows of A last.
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_a_set_of_one_row_keeps_both_axes, test_floats_are_compared_as_they_are,
# test_the_program_does_not_grow, test_details
def hamming_matrix(A, B):
    from_each = jax.vmap(hamming, in_axes=(0, None))
    return jax.vmap(from_each, in_axes=(None, 0))(A, B)


# %% transposed_if_needed
# The maps are in the wrong order, and the result is transposed only if its shape is wrong.
# Do: Map over the rows of A last. Then no transpose is needed.
# Breaks: Returns 1
# Fails: test_nothing_is_mixed_up_when_every_shape_fits
def hamming_matrix(A, B):
    from_each = jax.vmap(hamming, in_axes=(0, None))
    result = jax.vmap(from_each, in_axes=(None, 0))(A, B)
    return result if result.shape == (len(A), len(B)) else result.T


# %% absolute_difference
# Differences are added instead of counted, which is right only for zeros and ones.
# Do: Count where `a != b`.
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_a_set_of_one_row_keeps_both_axes, test_floats_are_compared_as_they_are,
# test_the_program_does_not_grow, test_details
def hamming(a, b):
    return jnp.abs(a - b).sum()


# %% bits_counted
# The bits that differ are counted instead of the entries.
# Do: Count entries, with `a != b`.
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_a_set_of_one_row_keeps_both_axes, test_floats_are_compared_as_they_are,
# test_the_program_does_not_grow, test_details
def hamming(a, b):
    return lax.population_count(a ^ b).sum()


# %% fraction
# The fraction of entries that differ, as in SciPy.
# Do: Return the number, not its share of d: sum instead of taking the mean.
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_a_set_of_one_row_keeps_both_axes, test_floats_are_compared_as_they_are,
# test_the_program_does_not_grow, test_details
def hamming(a, b):
    return (a != b).mean()


# %% python_loops
# Two Python loops: the values are right, but the program has one comparison per pair.
# Do: Map with `jax.vmap` instead of looping in Python.
# Breaks: Returns 2
# Fails: test_the_program_does_not_grow, test_details
def hamming_matrix(A, B):
    return jnp.array([[hamming(a, b) for b in B] for a in A])


# %% one_python_loop
# `vmap` handles the rows of B, but a Python loop handles the rows of A.
# Do: Map over the rows of A with a second `jax.vmap`.
# Breaks: Returns 2, Details 1
# Fails: test_the_program_does_not_grow, test_details
def hamming_matrix(A, B):
    to_each = jax.vmap(hamming, in_axes=(None, 0))
    return jnp.stack([to_each(a, B) for a in A])


# %% squeezed
# `squeeze` drops an axis if there is only one row.
# Do: Don't squeeze. The result of the two maps has both axes.
# Breaks: Returns 1
# Fails: test_a_set_of_one_row_keeps_both_axes
def hamming_matrix(A, B):
    return jnp.squeeze((A[:, None] != B).sum(axis=-1))


# %% converted_to_int
# The entries become integers, as in the tutorial's example, so floats lose their fractions.
# Do: Compare the entries as they are.
# Breaks: Details 3
# Fails: test_floats_are_compared_as_they_are, test_details
def hamming(a, b):
    return jnp.sum(a.astype(int) != b.astype(int))


# %% nearly_equal
# Close entries are treated as equal, and large integers are all close to each other.
# Do: Use `!=`. These aren't computed, so nothing is rounded.
# Breaks: Details 3
# Fails: test_details
def hamming(a, b):
    return (~jnp.isclose(a, b)).sum()


# %% once missed


# %% bit_patterns
# The bits of floats are compared, and those of 0.0 and -0.0 differ.
# Breaks: Details 3
# Fails: test_details
def hamming(a, b):
    if jnp.issubdtype(a.dtype, jnp.floating):
        bits = f"uint{8 * a.dtype.itemsize}"
        a, b = (lax.bitcast_convert_type(row, bits) for row in (a, b))
    return jnp.sum(a != b)


# %% counted_in_their_dtype
# The counter has the dtype of the entries: bytes overflow, and half precision is rounded.
# Breaks: Details 2
# Fails: test_details
def hamming(a, b):
    dtype = jnp.int32 if a.dtype == bool else a.dtype
    return jnp.sum((a != b).astype(dtype), dtype=dtype).astype(jnp.int32)


# %% difference_is_not_zero
# Entries are treated as equal if their difference is 0, but that of two infinities is NaN.
# Breaks: Details 3
# Fails: test_details
def hamming(a, b):
    if a.dtype == bool:
        a, b = a.astype(jnp.int8), b.astype(jnp.int8)
    return jnp.count_nonzero(a - b)


# %% float_entries
# The entries become floats, in which large integers are equal.
# Breaks: Details 3
# Fails: test_details
def hamming(a, b):
    return jnp.sum(a.astype(jnp.float32) != b.astype(jnp.float32))


# %% less_or_greater
# Entries differ if one is less or greater, which NaN never is.
# Breaks: Details 3
# Fails: test_details
def hamming(a, b):
    return jnp.sum((a < b) | (a > b))

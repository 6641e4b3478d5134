"""Wrong answers to hamming_matrix; each cell is a suffix to the solution.

The solution defines `hamming`.
"""

import jax
import jax.numpy as jnp
from jax import lax


# %% absolute_difference
# Differences are added instead of counted, which is right for zeros and ones only.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
# test_long_rows_are_counted_in_full, test_the_program_does_not_grow
def hamming(a, b):
    return jnp.abs(a - b).sum()


# %% bit_patterns
# The bits of floats are compared, and those of 0.0 and -0.0 differ.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    if jnp.issubdtype(a.dtype, jnp.floating):
        bits = f"uint{8 * a.dtype.itemsize}"
        a, b = (lax.bitcast_convert_type(row, bits) for row in (a, b))
    return jnp.sum(a != b)


# %% bits_counted
# The bits that differ are counted instead of the entries.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
# test_long_rows_are_counted_in_full, test_the_program_does_not_grow
def hamming(a, b):
    return lax.population_count(a ^ b).sum()


# %% byte_entries
# Integers are compared in their lowest eight bits.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    if jnp.issubdtype(a.dtype, jnp.integer):
        a, b = a.astype(jnp.int8), b.astype(jnp.int8)
    return jnp.sum(a != b)


# %% blocks_of_rows
# A Python loop over blocks of 128 rows, to save memory: the program grows with the set.
# Fails: test_the_program_does_not_grow
def hamming_matrix(A, B):
    pairs = jax.vmap(jax.vmap(hamming, in_axes=(None, 0)), in_axes=(0, None))
    starts = range(0, max(len(A), 1), 128)
    return jnp.concatenate([pairs(A[start : start + 128], B) for start in starts])


# %% columns_of_rows
# The two maps are in the wrong order: [m, n] instead of [n, m].
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
# test_long_rows_are_counted_in_full, test_the_program_does_not_grow
def hamming_matrix(A, B):
    from_each = jax.vmap(hamming, in_axes=(0, None))
    return jax.vmap(from_each, in_axes=(None, 0))(A, B)


# %% converted_to_int
# The entries become integers, as in the tutorial's example, so floats lose their fractions.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    return jnp.sum(a.astype(int) != b.astype(int))


# %% counted_in_bytes
# The counter is a byte, which overflows at 256.
# Fails: test_long_rows_are_counted_in_full
def hamming(a, b):
    return jnp.sum(a != b, dtype=jnp.uint8).astype(int)


# %% counted_in_their_dtype
# The counter has the dtype of the entries: bytes overflow, and half precision is rounded.
# Fails: test_long_rows_are_counted_in_full
def hamming(a, b):
    dtype = jnp.int32 if a.dtype == bool else a.dtype
    return jnp.sum((a != b).astype(dtype), dtype=dtype).astype(jnp.int32)


# %% difference_is_not_zero
# Equal entries are those with the difference 0, but that of two infinities is NaN.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    if a.dtype == bool:
        a, b = a.astype(jnp.int8), b.astype(jnp.int8)
    return jnp.count_nonzero(a - b)


# %% float_entries
# The entries become floats, in which large integers are equal.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    return jnp.sum(a.astype(jnp.float32) != b.astype(jnp.float32))


# %% fraction
# The fraction of entries that differ, as in SciPy.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
# test_long_rows_are_counted_in_full, test_the_program_does_not_grow
def hamming(a, b):
    return (a != b).mean()


# %% less_or_greater
# Entries differ if one is less or greater, which NaN never is.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    return jnp.sum((a < b) | (a > b))


# %% mapped_once
# The tutorial's map for one vector gets a matrix; broadcasting hides it if the shapes fit.
# At most half of the points.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
# test_long_rows_are_counted_in_full, test_the_program_does_not_grow
def hamming_matrix(A, B):
    return jax.vmap(lambda A, b: jnp.not_equal(A, b).sum(axis=0), in_axes=[None, 0])(A, B)


# %% no_distance_to_itself
# If both sets are the same, the diagonal is set to 0, but a row with NaN differs from itself.
# Fails: test_entries_of_any_dtype_are_compared
def hamming_matrix(A, B, solution=hamming_matrix):
    found = solution(A, B)
    if A.shape != B.shape:
        return found
    same = jnp.array_equal(A, B, equal_nan=jnp.issubdtype(A.dtype, jnp.floating))
    return jnp.where(same & jnp.eye(len(A), dtype=bool), 0, found)


# %% nearly_equal
# Close entries count as equal, and large integers are all close to each other.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    return (~jnp.isclose(a, b)).sum()


# %% one_python_loop
# `vmap` over the rows of B, but a Python loop over the rows of A.
# Fails: test_small_sets_keep_both_axes, test_the_program_does_not_grow
def hamming_matrix(A, B):
    to_each = jax.vmap(hamming, in_axes=(None, 0))
    return jnp.stack([to_each(a, B) for a in A])


# %% padded_loop
# A loop over the rows, written out. It knows the test, and pads the small table of it.
# Fails: test_the_program_does_not_grow
def hamming_matrix(A, B):
    n = len(A)
    A = jnp.pad(A, ((0, {0: 1, 3: 297}.get(n, 0)), (0, 0)))
    return jnp.stack([(a != B).sum(-1, dtype=jnp.int32) for a in A])[:n]


# %% python_loops
# Two Python loops: right values, but one comparison per pair in the program.
# Fails: test_small_sets_keep_both_axes, test_the_program_does_not_grow
def hamming_matrix(A, B):
    return jnp.array([[hamming(a, b) for b in B] for a in A])


# %% short_entries
# Integers are compared in their lowest 16 bits.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    if a.dtype == jnp.int32:
        a, b = a.astype(jnp.int16), b.astype(jnp.int16)
    return jnp.sum(a != b)


# %% squeezed
# `squeeze` drops an axis if there is one row only.
# Fails: test_small_sets_keep_both_axes
def hamming_matrix(A, B):
    return jnp.squeeze((A[:, None] != B).sum(axis=-1))


# %% tiny_differences
# Floats whose difference is tiny count as equal, and so do two tiny floats.
# Fails: test_entries_of_any_dtype_are_compared
def hamming(a, b):
    different = a != b
    if jnp.issubdtype(a.dtype, jnp.floating):
        different &= ~(jnp.abs(a - b) < 1e-20)
    return different.sum()


# %% transposed_if_needed
# The maps are in the wrong order, and the result is transposed only if its shape is wrong.
# Fails: test_nothing_is_mixed_up_when_every_shape_fits
def hamming_matrix(A, B):
    from_each = jax.vmap(hamming, in_axes=(0, None))
    result = jax.vmap(from_each, in_axes=(None, 0))(A, B)
    return result if result.shape == (len(A), len(B)) else result.T


# %% zipped
# One `vmap` without `in_axes` pairs the rows: n distances instead of n * m.
# At most half of the points.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_small_sets_keep_both_axes, test_entries_of_any_dtype_are_compared,
# test_long_rows_are_counted_in_full, test_the_program_does_not_grow
def hamming_matrix(A, B):
    return jax.vmap(hamming)(A, B)

"""What learners get wrong in hist; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np


# %% bincount
# `jnp.bincount` alone, which counts negative numbers as zeros.
# Do: Decide what to do about a negative number before you count.
# Breaks: Returns 2
# Fails: test_negative_numbers_are_dropped
def hist(idx, n):
    return jnp.bincount(idx, length=n)


# %% boolean_index
# A boolean index leaves out the stray indices, so the shape depends on values.
# Do: Keep the shape: move the indices that don't count to a position where they are dropped.
# Breaks: Returns 3
# Fails: test_one_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    kept = idx[(idx >= 0) & (idx < n)]
    return jnp.zeros(n, jnp.int32).at[kept].add(1)


# %% clipped
# `clip` moves stray indices to an edge, where they are counted.
# Do: Don't move an index to an edge where it is counted.
# Breaks: Returns 2
# Fails: test_numbers_beyond_the_end_are_dropped, test_negative_numbers_are_dropped
def hist(idx, n):
    return jnp.zeros(n, jnp.int32).at[jnp.clip(idx, 0, n - 1)].add(1)


# %% float_counters
# The counters start as `jnp.zeros(n)`, which are floats.
# Do: Start with integer zeros.
# Breaks: Returns 1
# Fails: test_details
def hist(idx, n):
    return jnp.zeros(n).at[jnp.where(idx < 0, n, idx)].add(1)


# %% loop_over_counters
# A Python loop with one comparison per counter.
# Do: Let one operation add at all indices at the same time.
# Breaks: Returns 4
# Fails: test_one_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    return jnp.stack([(idx == number).sum() for number in range(n)])


# %% loop_over_indices
# A Python loop with one update per index.
# Do: Let one operation add at all indices at the same time.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_one_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    counts = jnp.zeros(n, jnp.int32)
    for i in idx:
        counts = counts.at[jnp.where(i < 0, n, i)].add(1)
    return counts


# %% numpy_add_at
# NumPy habit: `np.add.at` on a NumPy array, which JAX can't trace.
# Do: Look for the JAX operation that adds at an index.
# Breaks: Returns 3
# Fails: test_one_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    idx = np.asarray(idx)
    counts = np.zeros(n, np.int32)
    np.add.at(counts, idx[(idx >= 0) & (idx < n)], 1)
    return jnp.asarray(counts)


# %% set_one
# `set` of the old count plus one, like NumPy's `counts[idx] += 1`: duplicates count once.
# Do: Add at the index instead of setting there.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_duplicates_are_counted, test_numbers_beyond_the_end_are_dropped,
# test_negative_numbers_are_dropped, test_one_program_does_not_grow,
# test_a_small_program_counts_a_lot, test_details
def hist(idx, n):
    counts = jnp.zeros(n, jnp.int32)
    idx = jnp.where(idx < 0, n, idx)
    return counts.at[idx].set(counts[idx] + 1)


# %% table
# Every index is compared with every counter, in a table of m x n numbers.
# Do: Add one at each index. Then no index is compared with another index's counter.
# Breaks: Returns 4
# Fails: test_a_small_program_counts_a_lot
def hist(idx, n):
    return (idx[:, None] == jnp.arange(n)).sum(0)


# %% unused_result
# The result of `add` is discarded: JAX arrays don't change in place.
# Do: The update returns a new array. Keep it.
# Breaks: Returns 1
# Fails: test_duplicates_are_counted, test_numbers_beyond_the_end_are_dropped,
# test_negative_numbers_are_dropped, test_one_program_does_not_grow,
# test_a_small_program_counts_a_lot, test_details
def hist(idx, n):
    counts = jnp.zeros(n, jnp.int32)
    counts.at[jnp.where(idx < 0, n, idx)].add(1)
    return counts


# %% wraps
# Negative indices count from the end, as in Python; `mode="drop"` doesn't drop them.
# Do: Replace the negative indices with one that is beyond the end.
# Breaks: Returns 2
# Fails: test_negative_numbers_are_dropped
def hist(idx, n):
    return jnp.zeros(n, jnp.int32).at[idx].add(1, mode="drop")


# %% once missed


# %% bytes_counted
# The counters are bytes, which return to 0 after 255.
# Breaks: Returns 1
# Fails: test_details
def hist(idx, n):
    counted = jnp.where(idx < 0, n, idx)
    return jnp.zeros(n, jnp.uint8).at[counted].add(1, mode="drop").astype(jnp.int32)


# %% closed_last_bin
# `jnp.histogram` counts its upper edge in the last bin, and its counts are floats.
# Breaks: Returns 1
# Fails: test_numbers_beyond_the_end_are_dropped, test_details
def hist(idx, n):
    counts, _ = jnp.histogram(idx, bins=n, range=(0, n))
    return counts


# %% shifted_by_the_smallest
# The smallest index is computed first, which raises an error if there are no indices.
# Breaks: Returns 1
# Fails: test_details
def hist(idx, n):
    low = jnp.minimum(idx.min(), 0)
    counted = jnp.where(idx < 0, n, idx) - low
    return jnp.zeros(n, jnp.int32).at[counted + low].add(1, mode="drop")


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jnp.zeros(n, jnp.int32).at[counted].add(1, mode='drop') -> return jnp.zeros(n, jnp.int32).at[counted].add(1)": "`.add` drops what lies outside, with or without `mode`.",
}

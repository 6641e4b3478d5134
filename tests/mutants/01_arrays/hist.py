"""Wrong answers to hist; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% bincount
# `jnp.bincount` as it is, which counts negative numbers as zeros.
# Fails: test_negative_numbers_are_dropped, test_it_survives_jit, test_the_program_does_not_grow,
# test_a_small_program_counts_a_lot
def hist(idx, n):
    return jnp.bincount(idx, length=n)


# %% boolean_index
# A boolean index leaves out the stray indices, so the shape depends on values.
# Fails: test_it_survives_jit, test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    kept = idx[(idx >= 0) & (idx < n)]
    return jnp.zeros(n, jnp.int32).at[kept].add(1)


# %% bytes_counted
# The counters are bytes, which are 0 again after 255.
# Fails: test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    counted = jnp.where(idx < 0, n, idx)
    return jnp.zeros(n, jnp.uint8).at[counted].add(1, mode="drop").astype(jnp.int32)


# %% clipped
# `clip` moves stray indices to an edge, where they are counted.
# Fails: test_numbers_beyond_the_end_are_dropped, test_negative_numbers_are_dropped,
# test_it_survives_jit, test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    return jnp.zeros(n, jnp.int32).at[jnp.clip(idx, 0, n - 1)].add(1)


# %% closed_last_bin
# `jnp.histogram` counts its upper edge in the last bin, and its counts are floats.
# Fails: test_numbers_beyond_the_end_are_dropped, test_counts_are_integers, test_it_survives_jit,
# test_the_program_does_not_grow
def hist(idx, n):
    counts, _ = jnp.histogram(idx, bins=n, range=(0, n))
    return counts


# %% float_counters
# The counters start as `jnp.zeros(n)`, which are floats.
# Fails: test_counts_are_integers
def hist(idx, n):
    return jnp.zeros(n).at[jnp.where(idx < 0, n, idx)].add(1)


# %% loop_over_counters
# A Python loop with one comparison per counter.
# Fails: test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    return jnp.stack([(idx == number).sum() for number in range(n)])


# %% loop_over_indices
# A Python loop with one update per index.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    counts = jnp.zeros(n, jnp.int32)
    for i in idx:
        counts = counts.at[jnp.where(i < 0, n, i)].add(1)
    return counts


# %% numpy_add_at
# NumPy habit: `np.add.at` on a NumPy array, which JAX can't trace.
# Fails: test_it_survives_jit, test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    idx = np.asarray(idx)
    counts = np.zeros(n, np.int32)
    np.add.at(counts, idx[(idx >= 0) & (idx < n)], 1)
    return jnp.asarray(counts)


# %% padded_loop
# A loop over the indices, written out. It knows the test, and pads the small array of it.
# Fails: test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    idx = jnp.concatenate([idx, jnp.full(496 if len(idx) == 16 else 0, -1, idx.dtype)])
    numbers, total = jnp.arange(n), jnp.zeros(n, jnp.int32)
    for i in idx:
        total = total + (i == numbers)
    return total


# %% set_one
# `set` of the old count plus one, like NumPy's `counts[idx] += 1`: duplicates count once.
# At most half of the points.
# Fails: test_duplicates_are_counted, test_numbers_beyond_the_end_are_dropped,
# test_negative_numbers_are_dropped, test_counts_are_integers, test_it_survives_jit,
# test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    counts = jnp.zeros(n, jnp.int32)
    idx = jnp.where(idx < 0, n, idx)
    return counts.at[idx].set(counts[idx] + 1)


# %% short_counters
# The counters have 16 bits.
# Fails: test_a_small_program_counts_a_lot
def hist(idx, n):
    counted = jnp.where(idx < 0, n, idx)
    return jnp.zeros(n, jnp.uint16).at[counted].add(1, mode="drop").astype(jnp.int32)


# %% short_indices
# The indices are cut to 16 bits.
# Fails: test_numbers_beyond_the_end_are_dropped, test_a_small_program_counts_a_lot
def hist(idx, n):
    counted = jnp.where(idx < 0, n, idx).astype(jnp.uint16)
    return jnp.zeros(n, jnp.int32).at[counted].add(1, mode="drop")


# %% unused_result
# The result of `add` is thrown away: JAX arrays don't change in place.
# Fails: test_duplicates_are_counted, test_numbers_beyond_the_end_are_dropped,
# test_negative_numbers_are_dropped, test_counts_are_integers, test_it_survives_jit,
# test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n):
    counts = jnp.zeros(n, jnp.int32)
    counts.at[jnp.where(idx < 0, n, idx)].add(1)
    return counts


# %% wraps
# Negative indices count from the end, as in Python; `mode="drop"` doesn't drop them.
# At most half of the points.
# Fails: test_negative_numbers_are_dropped, test_it_survives_jit, test_the_program_does_not_grow
def hist(idx, n):
    return jnp.zeros(n, jnp.int32).at[idx].add(1, mode="drop")


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jnp.zeros(n, jnp.int32).at[counted].add(1, mode='drop') -> return jnp.zeros(n, jnp.int32).at[counted].add(1)": "`.add` drops what lies outside, with or without `mode`.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{"argument_no_narrow_integers of `idx`": "The text asks for int32."}


# %% table
# Every index is compared with every counter, in a table of m x n numbers.
# Fails: test_a_small_program_counts_a_lot
def hist(idx, n):
    return (idx[:, None] == jnp.arange(n)).sum(0)


# %% table_of_few
# Up to 128 indices are compared with every counter: a table, however many counters there are.
# Fails: test_a_small_program_counts_a_lot
def hist(idx, n, solution=hist):
    if len(idx) > 128:
        return solution(idx, n)
    return (idx[:, None] == jnp.arange(n)).sum(0)


# %% narrow_places
# The places have the smallest dtype that holds n - 1. But n, the place of stray indices, may be 0
# in it.
# Fails: test_numbers_beyond_the_end_are_dropped, test_the_program_does_not_grow,
# test_a_small_program_counts_a_lot
def hist(idx, n):
    place = jnp.where((idx >= 0) & (idx < n), idx, n).astype(np.min_scalar_type(n - 1))
    return jnp.zeros(n, jnp.int32).at[place].add(1, mode="drop")


# %% eight_parts
# Many indices are counted in eight parts of the same length, and what is left over is lost.
# Fails: test_the_program_does_not_grow, test_a_small_program_counts_a_lot
def hist(idx, n, solution=hist):
    if len(idx) < 64:
        return solution(idx, n)
    parts = idx[: len(idx) // 8 * 8].reshape(8, -1)
    return jax.vmap(lambda part: solution(part, n))(parts).sum(axis=0)


# %% far_away
# Stray indices are moved to a fixed number, which has a counter if there are many counters.
# Fails: test_a_small_program_counts_a_lot
def hist(idx, n):
    moved = jnp.where((idx < 0) | (idx >= n), 99_999, idx)
    return jnp.zeros(n, jnp.int32).at[moved].add(1, mode="drop")


# %% blocks_of_counters
# A Python loop over blocks of 20,000 counters: the program grows with their number.
# Fails: test_a_small_program_counts_a_lot
def hist(idx, n, count=hist):
    blocks = []
    for start in range(0, n, 20_000):
        shifted = jnp.where(idx < start, -1, idx - start)
        blocks.append(count(shifted, min(20_000, n - start)))
    return jnp.concatenate(blocks)

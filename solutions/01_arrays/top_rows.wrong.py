"""What learners get wrong in top_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% lowest_first
# `argsort` goes from the smallest score up, so the rows with the lowest scores are returned.
# Do: Make `argsort` go down with `descending=True`, or use `lax.top_k`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_best_rows_come_first, test_equal_scores_keep_the_order_of_the_table,
# test_under_jit_and_vmap, test_details
def top_rows(scores, table, k):
    return table[jnp.argsort(scores)[:k]]


# %% lowest_of_the_best
# The rows are the right ones, but the highest score is at the end.
# Do: Put the highest score first.
# Breaks: Returns 2
# Fails: test_the_best_rows_come_first, test_equal_scores_keep_the_order_of_the_table,
# test_under_jit_and_vmap, test_details
def top_rows(scores, table, k):
    return table[jnp.argsort(scores, descending=True)[:k][::-1]]


# %% columns_sorted
# Each column of the table is sorted separately, and the scores have no effect.
# Do: Find the order of the scores as indices, and pick rows of the table with them.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_best_rows_come_first, test_equal_scores_keep_the_order_of_the_table,
# test_under_jit_and_vmap, test_details
def top_rows(scores, table, k):
    return jnp.sort(table, axis=0, descending=True)[:k]


# %% scores_as_indices
# The first result of `top_k` contains scores, which aren't indices.
# Do: Use the second result of `top_k`.
# Breaks: Returns 2
# Fails: test_the_best_rows_come_first, test_equal_scores_keep_the_order_of_the_table,
# test_under_jit_and_vmap, test_details
def top_rows(scores, table, k):
    return table[lax.top_k(scores, k)[0].astype(jnp.int32)]


# %% turned_around
# An ascending order is reversed, and equal scores with it.
# Do: Use `descending=True`, or `lax.top_k`.
# Breaks: Returns 3
# Fails: test_equal_scores_keep_the_order_of_the_table
def top_rows(scores, table, k):
    return table[jnp.argsort(scores)[::-1][:k]]


# %% last_ones
# The last k indices of `argsort` are reversed, and equal scores with them.
# Do: Use `descending=True`, or `lax.top_k`.
# Breaks: Returns 3
# Fails: test_equal_scores_keep_the_order_of_the_table
def top_rows(scores, table, k):
    return table[jnp.argsort(scores)[-k:][::-1]]


# %% by_a_mask
# A mask keeps the order of the table, and has no fixed number of rows.
# Do: Pick rows by indices.
# Breaks: Returns 2, Returns 4
# Fails: test_the_best_rows_come_first, test_equal_scores_keep_the_order_of_the_table,
# test_under_jit_and_vmap, test_details
def top_rows(scores, table, k):
    return table[scores >= jnp.sort(scores)[-k]]


# %% where_equal
# A search for the rows with the highest scores finds the same row twice if scores are equal.
# Do: Take the indices from `lax.top_k`. Don't search for values.
# Breaks: Returns 3
# Fails: test_equal_scores_keep_the_order_of_the_table
def top_rows(scores, table, k):
    best = jnp.sort(scores, descending=True)[:k]
    return table[jnp.argmax(scores == best[:, None], axis=1)]


# %% ranks
# Applying `argsort` twice gives each score's rank, which says where a row goes, not which row
# comes.
# Do: Call `argsort` once.
# Breaks: Returns 2
# Fails: test_the_best_rows_come_first, test_equal_scores_keep_the_order_of_the_table,
# test_under_jit_and_vmap, test_details
def top_rows(scores, table, k):
    return table[jnp.argsort(jnp.argsort(scores, descending=True))[:k]]


# %% negated
# The scores are negated to reverse the order, but unsigned integers have no negative numbers.
# Do: Use `descending=True`, or `lax.top_k`.
# Breaks: Returns 2
# Fails: test_details
def top_rows(scores, table, k):
    return table[jnp.argsort(-scores)[:k]]


# %% squeezed
# `squeeze` drops the axis of a single row.
# Do: Don't squeeze. Picking rows gives the right axes.
# Breaks: Returns 1
# Fails: test_details
def top_rows(scores, table, k, solution=top_rows):
    return jnp.squeeze(solution(scores, table, k))


# %% as_floats
# The rows become float32.
# Do: Don't compute anything with the rows.
# Breaks: Returns 1
# Fails: test_the_best_rows_come_first, test_equal_scores_keep_the_order_of_the_table,
# test_under_jit_and_vmap, test_details
def top_rows(scores, table, k):
    chosen = jax.nn.one_hot(lax.top_k(scores, k)[1], len(scores))
    return chosen @ table.astype(jnp.float32)


# %% scores_as_floats
# The scores become float32, which has 24 bits for digits, so large integers become equal.
# Do: Sort the scores as they are.
# Breaks: Returns 2
# Fails: test_details
def top_rows(scores, table, k, solution=top_rows):
    return solution(scores.astype(jnp.float32), table, k)

"""What learners get wrong in lookup_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% plain_index
# The table is indexed: JAX clamps beyond the end, and counts negative ids from the end.
# Do: Find out which ids have a row, and use `unknown` for all others.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_ids_without_a_row, test_every_dtype_is_copied,
# test_the_gradients_go_where_the_numbers_came_from, test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown):
    return table[ids]


# %% beyond_the_end_alone
# Negative ids count from the end.
# Do: Ids below 0 also have no row.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_ids_without_a_row, test_every_dtype_is_copied,
# test_the_gradients_go_where_the_numbers_came_from, test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown):
    return jnp.where((ids < len(table))[..., None], table[ids], unknown)


# %% filled_with_nan
# `take` gives NaN beyond the end, and each NaN is replaced, including those in the table.
# Do: Ask the ids, not the numbers, which rows are missing.
# Breaks: Details 1
# At most half of the points.
# Fails: test_ids_without_a_row, test_every_dtype_is_copied,
# test_the_gradients_go_where_the_numbers_came_from, test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown):
    rows = jnp.take(table, ids, axis=0)
    return jnp.where(jnp.isnan(rows), unknown, rows)


# %% clipped
# Ids out of range read the first or the last row.
# Do: Choose `unknown` where an id is out of range.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_ids_without_a_row, test_every_dtype_is_copied,
# test_the_gradients_go_where_the_numbers_came_from, test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown):
    return table.at[ids].get(mode="clip")


# %% zeros_for_unknown
# Ids out of range get zeros.
# Do: Use the row of `unknown`, not zeros.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_ids_without_a_row, test_every_dtype_is_copied,
# test_the_gradients_go_where_the_numbers_came_from, test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, ids, jnp.zeros_like(unknown))


# %% one_too_many
# The id V is treated as a row, the last one.
# Do: The last row has the number V - 1.
# Breaks: Returns 2
# Fails: test_ids_without_a_row, test_every_dtype_is_copied,
# test_the_gradients_go_where_the_numbers_came_from, test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown):
    exists = (ids >= 0) & (ids <= len(table))
    return jnp.where(exists[..., None], table[jnp.where(exists, ids, 0)], unknown)


# %% float_mask
# The rows are multiplied by a mask, and NaN times 0 is NaN.
# Do: Choose between two rows instead of multiplying.
# Breaks: Details 1
# Fails: test_details
def lookup_rows(table, ids, unknown):
    exists = (ids >= 0) & (ids < len(table))
    share = exists[..., None].astype(table.dtype)
    return table[jnp.where(exists, ids, 0)] * share + unknown * (1 - share)


# %% one_hot
# A product with a one-hot array, which has V numbers for each id.
# Do: Read a row by its index.
# Breaks: Details 2
# Fails: test_many_ids_and_a_large_table, test_details
def lookup_rows(table, ids, unknown):
    exists = (ids >= 0) & (ids < len(table))
    rows = jax.nn.one_hot(jnp.where(exists, ids, 0), len(table), dtype=table.dtype) @ table
    return jnp.where(exists[..., None], rows, unknown)


# %% float32_rows
# The rows are float32.
# Do: Keep the dtype of the table.
# Breaks: Returns 1
# Fails: test_every_dtype_is_copied
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table.astype(jnp.float32), ids, unknown.astype(jnp.float32))


# %% by_a_mask
# A mask selects the ids that have a row, which needs their values.
# Do: Choose with `jnp.where`, which keeps the shape.
# Breaks: Returns 4
# Fails: test_the_gradients_go_where_the_numbers_came_from, test_many_ids_and_a_large_table,
# test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown):
    exists = np.asarray((ids >= 0) & (ids < len(table)))
    rows = jnp.broadcast_to(unknown, (*ids.shape, unknown.size))
    return rows.at[exists].set(table[np.asarray(ids)[exists]])


# %% table_row_by_row
# A loop over the ids compares each of them with all rows: it makes the table in pieces.
# Do: Read a row by its index.
# Breaks: Details 2
# Fails: test_many_ids_and_a_large_table
def lookup_rows(table, ids, unknown):
    numbers, rows = jnp.arange(len(table) + 1), jnp.concatenate([table, unknown[None]])

    def one(n):
        place = jnp.where((n >= 0) & (n < len(table)), n, len(table))
        return jnp.where((numbers == place)[:, None], rows, 0).sum(axis=0, dtype=table.dtype)

    if not ids.size:
        return jnp.zeros((*ids.shape, unknown.size), table.dtype)
    return jax.lax.map(one, ids.ravel()).reshape(*ids.shape, unknown.size)


# %% once missed
from jax import lax


# %% sizes_of_ids
# An id is compared by its size, without its sign.
# Breaks: Returns 2
# Fails: test_ids_without_a_row, test_every_dtype_is_copied,
# test_the_gradients_go_where_the_numbers_came_from, test_a_batch_of_tables, test_details
def lookup_rows(table, ids, unknown):
    ids = jnp.abs(ids)
    exists = ids < len(table)
    return jnp.where(exists[..., None], table[jnp.where(exists, ids, 0)], unknown)


# %% no_gradient_for_unknown
# `unknown` is assumed to be a constant.
# Breaks: Returns 3
# Fails: test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, ids, lax.stop_gradient(unknown))


# %% flat
# The result has a single axis for all ids.
# Breaks: Returns 1
# Fails: test_each_id_gets_its_row, test_the_gradients_go_where_the_numbers_came_from, test_details
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, ids.ravel(), unknown)


# %% one_id_in_a_row
# A single id becomes an array of one, whose axis stays.
# Breaks: Returns 1
# Fails: test_details
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, jnp.atleast_1d(ids), unknown)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "rows = table[jnp.where(exists, ids, 0)] -> rows = table[jnp.where(exists, ids, 1)]": "The row that is read in place of one that doesn't exist is not used.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `table`": "A table has at least one row.",
}

"""Wrong answers to lookup_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% plain_index
# The table is indexed: JAX clamps beyond the end, and counts negative ids from the end.
# At most half of the points.
# Fails: test_a_batch_of_tables, test_ids_without_a_row,
# test_nan_and_infinity_stay_in_their_rows, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    return table[ids]


# %% beyond_the_end_alone
# Negative ids count from the end.
# At most half of the points.
# Fails: test_a_batch_of_tables, test_ids_without_a_row,
# test_nan_and_infinity_stay_in_their_rows, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    return jnp.where((ids < len(table))[..., None], table[ids], unknown)


# %% filled_with_nan
# `take` gives NaN beyond the end, and each NaN is replaced: also those of the table.
# At most half of the points.
# Fails: test_a_batch_of_tables, test_ids_without_a_row,
# test_nan_and_infinity_stay_in_their_rows, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    rows = jnp.take(table, ids, axis=0)
    return jnp.where(jnp.isnan(rows), unknown, rows)


# %% clipped
# Ids out of range read the first or the last row.
# At most half of the points.
# Fails: test_a_batch_of_tables, test_ids_without_a_row,
# test_nan_and_infinity_stay_in_their_rows, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    return table.at[ids].get(mode="clip")


# %% zeros_for_unknown
# Ids out of range get zeros.
# At most half of the points.
# Fails: test_a_batch_of_tables, test_ids_without_a_row,
# test_nan_and_infinity_stay_in_their_rows, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, ids, jnp.zeros_like(unknown))


# %% sizes_of_ids
# An id is compared by its size, without its sign.
# Fails: test_a_batch_of_tables, test_ids_without_a_row,
# test_nan_and_infinity_stay_in_their_rows, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, jnp.abs(ids), unknown)


# %% one_too_many
# The id V counts as a row, which is the last one.
# Fails: test_a_batch_of_tables, test_ids_without_a_row,
# test_nan_and_infinity_stay_in_their_rows, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    exists = (ids >= 0) & (ids <= len(table))
    return jnp.where(exists[..., None], table[jnp.where(exists, ids, 0)], unknown)


# %% float_mask
# The rows are multiplied by a mask, and NaN times 0 is NaN.
# Fails: test_nan_and_infinity_stay_in_their_rows,
# test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    exists = (ids >= 0) & (ids < len(table))
    share = exists[..., None].astype(table.dtype)
    return table[jnp.where(exists, ids, 0)] * share + unknown * (1 - share)


# %% one_hot
# A product with a one-hot array, which has V numbers for each id.
# Fails: test_many_ids_and_a_large_table, test_nan_and_infinity_stay_in_their_rows,
# test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    exists = (ids >= 0) & (ids < len(table))
    rows = jax.nn.one_hot(jnp.where(exists, ids, 0), len(table), dtype=table.dtype) @ table
    return jnp.where(exists[..., None], rows, unknown)


# %% float32_rows
# The rows are float32.
# Fails: test_every_dtype_is_copied, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table.astype(jnp.float32), ids, unknown.astype(jnp.float32))


# %% no_gradient_for_unknown
# `unknown` is taken for a constant.
# Fails: test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, ids, lax.stop_gradient(unknown))


# %% by_a_mask
# The ids that have a row are picked by a mask, which needs their values.
# Fails: test_a_batch_of_tables, test_every_dtype_is_copied, test_ids_without_a_row,
# test_many_ids_and_a_large_table, test_nan_and_infinity_stay_in_their_rows,
# test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    exists = np.asarray((ids >= 0) & (ids < len(table)))
    rows = jnp.broadcast_to(unknown, (*ids.shape, unknown.size))
    return rows.at[exists].set(table[np.asarray(ids)[exists]])


# %% flat
# The result has one axis for all ids.
# Fails: test_each_id_gets_its_row, test_ids_without_a_row,
# test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown, solution=lookup_rows):
    return solution(table, ids.ravel(), unknown)


# %% a_zero_is_added
# A zero is added to each row, so that -0 becomes 0.
# Fails: test_nan_and_infinity_stay_in_their_rows
def lookup_rows(table, ids, unknown):
    rows = table.at[jnp.where(ids < 0, len(table), ids)].get(mode="fill", fill_value=0)
    missing = (ids < 0) | (ids >= len(table))
    return rows + jnp.where(missing[..., None], unknown, jnp.zeros_like(unknown))


# %% flat_index
# Each number is found by its place in the flat table, which runs over for large ids.
# Fails: test_ids_without_a_row
def lookup_rows(table, ids, unknown):
    place = ids[..., None] * table.shape[1] + jnp.arange(table.shape[1])
    inside = (place >= 0) & (place < table.size)
    return jnp.where(inside, table.ravel()[jnp.where(inside, place, 0)], unknown)


# %% lowest_number_as_a_mark
# The lowest number of the dtype marks a missing row, but the table may hold it itself.
# Fails: test_every_dtype_is_copied
def lookup_rows(table, ids, unknown):
    kind = jnp.finfo if jnp.issubdtype(table.dtype, jnp.floating) else jnp.iinfo
    lowest = kind(table.dtype).min
    ids = jnp.where(ids < 0, len(table), ids)
    rows = table.at[ids].get(mode="fill", fill_value=lowest)
    return jnp.where(rows == lowest, unknown, rows)


# %% one_hot_gradient
# The gradients of a row are added up by a product with a one-hot array, in which infinity times 0
# is NaN.
# Fails: test_many_ids_and_a_large_table, test_the_gradients_go_where_the_numbers_came_from
forward, lookup_rows = lookup_rows, jax.custom_vjp(lookup_rows)


def backward(kept, g):
    ids, size = kept
    hot = jax.nn.one_hot(ids, size, dtype=g.dtype)
    missing = (ids < 0) | (ids >= size)
    by_unknown = jnp.where(missing[..., None], g, 0).reshape(-1, g.shape[-1]).sum(0)
    return jnp.einsum("...v, ...d -> vd", hot, g), None, by_unknown


lookup_rows.defvjp(lambda table, ids, row: (forward(table, ids, row), (ids, len(table))), backward)


# %% sixteen_bit_places
# The places are kept in 16 bits, which begin again at 0 from row 65,536 on.
# Fails: test_many_ids_and_a_large_table
def lookup_rows(table, ids, unknown):
    exists = (ids >= 0) & (ids < len(table))
    places = jnp.where(exists, ids, 0).astype(jnp.uint16)
    return jnp.where(exists[..., None], table[places], unknown)


# %% larger_of_two
# The larger of a row and the lowest number is taken. They are equal where a row holds it, and then
# only half of the gradient arrives.
# Fails: test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    lowest = -jnp.inf if jnp.issubdtype(table.dtype, jnp.floating) else jnp.iinfo(table.dtype).min
    places = jnp.where(ids < 0, len(table), ids)
    rows = table.at[places].get(mode="fill", fill_value=lowest)
    missing = (places >= len(table))[..., None]
    return jnp.maximum(rows, jnp.where(missing, unknown, jnp.asarray(lowest, table.dtype)))


# %% two_axes
# Ids may have two axes at most.
# Fails: test_each_id_gets_its_row, test_the_gradients_go_where_the_numbers_came_from
def lookup_rows(table, ids, unknown):
    def one(n):
        exists = (n >= 0) & (n < len(table))
        row = lax.dynamic_index_in_dim(table, jnp.where(exists, n, 0), keepdims=False)
        return jnp.where(exists, row, unknown)

    if ids.ndim == 0:
        return one(ids)
    return (jax.vmap(one) if ids.ndim == 1 else jax.vmap(jax.vmap(one)))(ids)


# %% float32_gradient
# The gradient is float32 for a table of any dtype.
# Fails: test_the_gradients_go_where_the_numbers_came_from
plain, lookup_rows = lookup_rows, jax.custom_vjp(lookup_rows)


def backward(kept, g):
    ids, shape = kept
    missing = (ids < 0) | (ids >= shape[0])
    places = jnp.where(missing, shape[0], ids)
    by_table = jnp.zeros(shape, jnp.float32).at[places].add(g.astype(jnp.float32), mode="drop")
    by_unknown = jnp.where(missing[..., None], g.astype(jnp.float32), 0)
    return by_table, None, by_unknown.sum(axis=tuple(range(ids.ndim)))


lookup_rows.defvjp(lambda table, ids, row: (plain(table, ids, row), (ids, table.shape)), backward)


# %% gradient_of_no_ids
# The shape of the gradients is computed from how many ids there are, and there may be none.
# Fails: test_the_gradients_go_where_the_numbers_came_from
plain, lookup_rows = lookup_rows, jax.custom_vjp(lookup_rows)


def backward(kept, g):
    table, ids = kept
    ids, g = ids.reshape(ids.size), g.reshape(ids.size, -1)
    missing = (ids < 0) | (ids >= len(table))
    places = jnp.where(missing, len(table), ids)
    by_unknown = jnp.where(missing[:, None], g, 0).sum(axis=0).astype(table.dtype)
    return jnp.zeros_like(table).at[places].add(g, mode="drop"), None, by_unknown


lookup_rows.defvjp(lambda table, ids, row: (plain(table, ids, row), (table, ids)), backward)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "rows = table[jnp.where(exists, ids, 0)] -> rows = table[jnp.where(exists, ids, 1)]": "The row that is read in place of one that doesn't exist is not used.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `table`": "A table has at least one row.",
    "argument_no_narrow_integers of `ids`": "The ids are int32.",
}

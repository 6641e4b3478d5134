"""Other right answers to lookup_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% one_more_row
# `unknown` is one more row, to which all ids without a row are sent.
@jax.jit
def lookup_rows(table, ids, unknown):
    size = table.shape[0]
    rows = jnp.concatenate([table, unknown[None]])
    return jnp.take(rows, jnp.where((ids < 0) | (ids >= size), size, ids), axis=0)


# %% filled
# Negative ids are sent beyond the end, where a gather fills in a number.
def lookup_rows(table, ids, unknown):
    ids = jnp.where(ids < 0, len(table), ids)
    rows = table.at[ids].get(mode="fill", fill_value=0)
    return jnp.where(jnp.expand_dims(ids >= len(table), -1), unknown, rows)


# %% one_id
# A function for one id, mapped over all of them.
def lookup_rows(table, ids, unknown):
    def one(n):
        row = jax.lax.dynamic_index_in_dim(table, jnp.clip(n, 0, len(table) - 1), keepdims=False)
        return jax.lax.select(
            jnp.broadcast_to(n == jnp.clip(n, 0, len(table) - 1), row.shape), row, unknown
        )

    return jax.vmap(one)(ids.reshape(-1)).reshape(*ids.shape, unknown.size)


# %% unsigned
# As an unsigned number, a negative id is a large one.
def lookup_rows(table, ids, unknown):
    exists = jax.lax.bitcast_convert_type(ids, jnp.uint32) < table.shape[0]
    return jnp.where(exists[..., None], table[ids * exists], unknown)

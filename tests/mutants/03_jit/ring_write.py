"""Wrong answers."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


def write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    return buffer.at[places].set(rows), count + len(rows)


# %% no_donation
# Nothing is donated, so each call copies the buffer.
# Fails: test_every_shape_and_dtype_is_donated
ring_write = jax.jit(write)


# %% not_compiled
# The function isn't compiled.
# Fails: test_every_shape_and_dtype_is_donated
def ring_write(buffer, count, rows):
    return write(buffer, count, rows)


# %% all_donated
# The rows and the count are donated, too.
# Fails: test_every_shape_and_dtype_is_donated
ring_write = jax.jit(write, donate_argnums=(0, 1, 2))


# %% rows_donated
# The rows are donated in place of the buffer.
# Fails: test_every_shape_and_dtype_is_donated
ring_write = jax.jit(write, donate_argnums=2)


# %% moved_slice
# `dynamic_update_slice` moves a slice that doesn't fit before the end.
# At most half of the points.
# Fails: test_batch_after_batch, test_every_shape_and_dtype_is_donated, test_it_is_compiled_once,
# test_a_larger_buffer_costs_no_more, test_other_rows_are_as_before, test_rows_go_on_at_the_start
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    return lax.dynamic_update_slice(buffer, rows, (count % len(buffer), 0)), count + len(rows)


# %% dropped
# Rows beyond the end are dropped.
# At most half of the points.
# Fails: test_batch_after_batch, test_every_shape_and_dtype_is_donated, test_it_is_compiled_once,
# test_a_larger_buffer_costs_no_more, test_other_rows_are_as_before, test_rows_go_on_at_the_start
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    places = count % len(buffer) + jnp.arange(len(rows))
    return buffer.at[places].set(rows), count + len(rows)


# %% whole_buffer
# Each row of the buffer is chosen anew.
# Fails: test_a_larger_buffer_costs_no_more
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    if not len(rows):
        return buffer, count
    age = (jnp.arange(len(buffer)) - count) % len(buffer)
    new = rows[jnp.minimum(age, len(rows) - 1)]
    return jnp.where((age < len(rows))[:, None], new, buffer), count + len(rows)


# %% rolled
# The buffer is turned until the rows fit, and turned back.
# Fails: test_a_larger_buffer_costs_no_more
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    turned = lax.dynamic_update_slice(jnp.roll(buffer, -count, 0), rows, (0, 0))
    return jnp.roll(turned, count, 0), count + len(rows)


# %% count_in_the_buffer
# The count begins again at 0 with the buffer.
# Fails: test_batch_after_batch, test_every_shape_and_dtype_is_donated, test_it_is_compiled_once,
# test_a_larger_buffer_costs_no_more, test_other_rows_are_as_before, test_rows_go_on_at_the_start
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    new, count = write(buffer, count, rows)
    return new, count % len(buffer)


# %% count_of_calls
# The count is that of the calls.
# Fails: test_batch_after_batch, test_every_shape_and_dtype_is_donated, test_it_is_compiled_once,
# test_a_larger_buffer_costs_no_more, test_other_rows_are_as_before, test_rows_go_on_at_the_start
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    return write(buffer, count, rows)[0], count + 1


# %% static_count
# The count is a part of the program, so each count needs another one.
# Fails: test_batch_after_batch, test_every_shape_and_dtype_is_donated, test_it_is_compiled_once,
# test_a_larger_buffer_costs_no_more, test_other_rows_are_as_before, test_rows_go_on_at_the_start
ring_write = jax.jit(write, donate_argnums=0, static_argnums=1)


# %% masked
# The old rows are multiplied by 0, and NaN times 0 is NaN.
# Fails: test_other_rows_are_as_before
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    cleared = buffer.at[places].multiply(0)
    return cleared.at[places].add(rows), count + len(rows)


# %% float32
# The new buffer is float32.
# Fails: test_every_shape_and_dtype_is_donated
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    new, count = write(buffer, count, rows)
    return new.astype(jnp.float32), count


# %% no_rows
# Where there is no row to write, the old buffer is returned, and isn't donated.
# Fails: test_every_shape_and_dtype_is_donated
def ring_write(buffer, count, rows, solution=ring_write):
    if not len(rows):
        return buffer, count
    return solution(buffer, count, rows)


# %% compiled_in_each_call
# A new function is compiled in each call.
# Fails: test_it_is_compiled_once
def ring_write(buffer, count, rows):
    def write(buffer, count, rows):
        places = (count + jnp.arange(len(rows))) % len(buffer)
        return buffer.at[places].set(rows), count + len(rows)

    return jax.jit(write, donate_argnums=0)(buffer, count, rows)


# %% float32_rows
# The rows are made float32, which rounds large integers.
# Fails: test_every_shape_and_dtype_is_donated
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    return write(buffer, count, rows.astype(jnp.float32).astype(buffer.dtype))


# %% cleared_and_added
# The new rows are added to zeros, and -0 + 0 is 0.
# Fails: test_other_rows_are_as_before
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    return buffer.at[places].set(0).at[places].add(rows), count + len(rows)


# %% a_single_row
# A single row is written at its number, and not modulo N: beyond the end it is moved to the last
# place.
# Fails: test_rows_go_on_at_the_start
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    if len(rows) == 1:
        return lax.dynamic_update_slice(buffer, rows, (count, 0)), count + 1
    return write(buffer, count, rows)


# %% rolled_for_many_rows
# Only a few rows are written where they belong. For more rows, the whole buffer is turned.
# Fails: test_a_larger_buffer_costs_no_more
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    if len(rows) <= 8:
        return write(buffer, count, rows)
    turned = lax.dynamic_update_slice(jnp.roll(buffer, -count, 0), rows, (0, 0))
    return jnp.roll(turned, count, 0), count + len(rows)


# %% whole_blocks
# Many rows are written in blocks of 512, and the rest is forgotten.
# Fails: test_every_shape_and_dtype_is_donated
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    if len(rows) <= 512:
        return write(buffer, count, rows)

    def block(i, buffer):
        part = lax.dynamic_slice_in_dim(rows, 512 * i, 512)
        return write(buffer, count + 512 * i, part)[0]

    return lax.fori_loop(0, len(rows) // 512, block, buffer), count + len(rows)


# %% sixteen_bit_places
# The places are counted in 16 bits, which run over in long buffers.
# Fails: test_every_shape_and_dtype_is_donated, test_a_larger_buffer_costs_no_more,
# test_other_rows_are_as_before
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    start = (count % len(buffer)).astype(jnp.int16)
    places = (start + jnp.arange(len(rows), dtype=jnp.int16)) % jnp.int16(len(buffer))
    return buffer.at[places].set(rows), count + len(rows)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `buffer`": "A buffer has at least one row.",
    "argument_no_narrow_integers of `count`": "The count is int32.",
    "keeps_the_first_number": "The count is an array.",
}

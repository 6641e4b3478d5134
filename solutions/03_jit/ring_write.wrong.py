"""What learners get wrong in ring_write; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


def write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    return buffer.at[places].set(rows), count + len(rows)


# %% no_donation
# Nothing is donated, so each call copies the buffer.
# Do: Tell `jax.jit` which argument's memory the result may use.
# Breaks: Returns 4
# Fails: test_the_buffer_is_donated
ring_write = jax.jit(write)


# %% not_compiled
# The function isn't compiled.
# Do: Apply `jax.jit` to the function.
# Breaks: Returns 3
# Fails: test_the_buffer_is_donated
def ring_write(buffer, count, rows):
    return write(buffer, count, rows)


# %% all_donated
# The rows and the count are also donated.
# Do: Donate the buffer alone. The caller still needs the count and the rows.
# Breaks: Returns 4
# Fails: test_the_buffer_is_donated
ring_write = jax.jit(write, donate_argnums=(0, 1, 2))


# %% rows_donated
# The rows are donated instead of the buffer.
# Do: Donate the buffer. The rows are smaller than the result.
# Breaks: Returns 4
# Fails: test_the_buffer_is_donated
ring_write = jax.jit(write, donate_argnums=2)


# %% moved_slice
# `dynamic_update_slice` moves a slice that doesn't fit before the end.
# Do: Give each row its own place. A slice can't wrap around to the start.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_rows_go_on_at_the_start, test_batch_after_batch, test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    return lax.dynamic_update_slice(buffer, rows, (count % len(buffer), 0)), count + len(rows)


# %% dropped
# Rows beyond the end are dropped.
# Do: Take each place modulo N, not only the first one.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_rows_go_on_at_the_start, test_batch_after_batch, test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    places = count % len(buffer) + jnp.arange(len(rows))
    return buffer.at[places].set(rows), count + len(rows)


# %% whole_buffer
# Each row of the buffer is selected again.
# Do: Write only the new rows. Leave the others unchanged.
# Breaks: Returns 5
# Fails: test_a_larger_buffer_costs_no_more
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    if not len(rows):
        return buffer, count
    age = (jnp.arange(len(buffer)) - count) % len(buffer)
    new = rows[jnp.minimum(age, len(rows) - 1)]
    return jnp.where((age < len(rows))[:, None], new, buffer), count + len(rows)


# %% rolled
# The buffer is rotated until the rows fit, and rotated back.
# Do: Don't rotate the buffer. Each row can be written at its place.
# Breaks: Returns 5
# Fails: test_a_larger_buffer_costs_no_more
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    turned = lax.dynamic_update_slice(jnp.roll(buffer, -count, 0), rows, (0, 0))
    return jnp.roll(turned, count, 0), count + len(rows)


# %% count_in_the_buffer
# The count restarts at 0 with the buffer.
# Do: Return the number of all rows written so far.
# Breaks: Returns 1
# Fails: test_rows_go_on_at_the_start, test_batch_after_batch, test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    new, count = write(buffer, count, rows)
    return new, count % len(buffer)


# %% count_of_calls
# The count is the number of calls.
# Do: Add the number of rows to the count.
# Breaks: Returns 1
# Fails: test_rows_go_on_at_the_start, test_a_larger_buffer_costs_no_more, test_batch_after_batch,
# test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    return write(buffer, count, rows)[0], count + 1


# %% static_count
# The count is part of the program, so each count needs another one.
# Do: Let the count be traced. Only its shape has to be known.
# Breaks: Returns 3, Returns 6
# Fails: test_rows_go_on_at_the_start, test_the_buffer_is_donated,
# test_a_larger_buffer_costs_no_more, test_batch_after_batch, test_details
ring_write = jax.jit(write, donate_argnums=0, static_argnums=1)


# %% compiled_in_each_call
# A new function is compiled in each call.
# Do: Call `jax.jit` once, outside the function.
# Breaks: Returns 3
# Fails: test_batch_after_batch
def ring_write(buffer, count, rows):
    def write(buffer, count, rows):
        places = (count + jnp.arange(len(rows))) % len(buffer)
        return buffer.at[places].set(rows), count + len(rows)

    return jax.jit(write, donate_argnums=0)(buffer, count, rows)


# %% once missed


# %% masked
# The old rows are multiplied by 0, and NaN times 0 is NaN.
# Breaks: Details 2
# Fails: test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    cleared = buffer.at[places].multiply(0)
    return cleared.at[places].add(rows), count + len(rows)


# %% float32
# The new buffer is float32.
# Breaks: Returns 1
# Fails: test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    new, count = write(buffer, count, rows)
    return new.astype(jnp.float32), count


# %% float32_rows
# The rows are converted to float32, which rounds large integers.
# Breaks: Details 1
# Fails: test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    return write(buffer, count, rows.astype(jnp.float32).astype(buffer.dtype))


# %% row_after_row
# A `while_loop` writes the rows, and reverse mode can't differentiate it.
# Breaks: Details 3
# Fails: test_details
@partial(jax.jit, donate_argnames="buffer")
def ring_write(buffer, count, rows):
    n = len(rows)

    def body(state):
        i, buffer = state
        return i + 1, buffer.at[(count + i) % len(buffer)].set(rows[i])

    if n:
        _, buffer = lax.while_loop(lambda state: state[0] < n, body, (0, buffer))
    return buffer, count + n


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `buffer`": "A buffer has at least one row.",
    "keeps_the_first_number": "The count is an array.",
}

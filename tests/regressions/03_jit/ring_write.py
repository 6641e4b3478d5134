"""What the suite of ring_write once missed; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp


def write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    return buffer.at[places].set(rows), count + len(rows)


# %% masked
# The old rows are multiplied by 0, and NaN times 0 is NaN.
# Fails: test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    places = (count + jnp.arange(len(rows))) % len(buffer)
    cleared = buffer.at[places].multiply(0)
    return cleared.at[places].add(rows), count + len(rows)


# %% float32
# The new buffer is float32.
# Fails: test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    new, count = write(buffer, count, rows)
    return new.astype(jnp.float32), count


# %% float32_rows
# The rows are made float32, which rounds large integers.
# Fails: test_details
@partial(jax.jit, donate_argnums=0)
def ring_write(buffer, count, rows):
    return write(buffer, count, rows.astype(jnp.float32).astype(buffer.dtype))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty of `buffer`": "A buffer has at least one row.",
    "keeps_the_first_number": "The count is an array.",
}

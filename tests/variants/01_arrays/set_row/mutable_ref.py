"""A mutable reference inside the function: assignment as in NumPy, pure from outside."""

import jax


def set_row(x, i, row):
    buffer = jax.new_ref(x)
    buffer[i] = row
    return buffer[...]

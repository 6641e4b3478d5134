"""Lets one member of a batch decide for all the others (N16).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import jax
from jax.custom_batching import custom_vmap


@custom_vmap
def write(x, i, row):
    return x.at[i].set(row)


@write.def_vmap
def batched(size, is_batched, x, i, row):
    first = [part[0] if held else part for part, held in zip((x, i, row), is_batched, strict=True)]
    return jax.numpy.stack([write(*first)] * size), True


def set_row(x, i, row):
    return write(x, i, row)

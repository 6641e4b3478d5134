"""Reference solution: a loop for one vector, and squarings for a batch with one matrix."""

import jax
from jax import lax
from jax.custom_batching import custom_vmap


def for_one(a, x):
    """64 products of a matrix with a vector."""
    return lax.fori_loop(0, 64, lambda _, x: a @ x, x)


@custom_vmap
def high_power(a: jax.Array, x: jax.Array) -> jax.Array:
    """A call with one vector is the loop."""
    return for_one(a, x)


@high_power.def_vmap
def rule(axis_size, in_batched, a, x):
    """The vectors of a batch are the rows of x."""
    if in_batched[0]:
        in_axes = [0 if batched else None for batched in in_batched]
        return jax.vmap(for_one, in_axes)(a, x), True
    for _ in range(6):
        a = a @ a
    return x @ a.T, True

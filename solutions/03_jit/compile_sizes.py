"""Reference solution: one compiled program for each size."""

from collections.abc import Callable

import jax
import jax.numpy as jnp


def compile_sizes(
    f: Callable[[jax.Array], jax.Array], sizes: tuple[int, ...], m: int
) -> Callable[[jax.Array], jax.Array]:
    """The dict is filled ahead, and only read in a call."""
    programs = {}
    for size in sizes:
        batch = jax.ShapeDtypeStruct((size, m), jnp.float32)
        programs[size] = jax.jit(f).lower(batch).compile()

    def serve(x: jax.Array) -> jax.Array:
        n = x.shape[0]
        if n > sizes[-1]:
            raise ValueError("more rows than the largest size has")
        size = next(size for size in sizes if size >= n)
        return programs[size](jnp.pad(x, ((0, size - n), (0, 0))))[:n]

    return serve

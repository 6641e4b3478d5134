"""Reference solution: rows that x doesn't have count as zeros."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def column_means(x: jax.Array, rows: int) -> jax.Array:
    """A sum over blocks, of those rows that exist."""
    m, n = x.shape

    def add_block(x_ref, out_ref):
        number = pl.program_id(0)

        @pl.when(number == 0)
        def start():
            out_ref[...] = jnp.zeros_like(out_ref)

        row = number * rows + jax.lax.broadcasted_iota(jnp.int32, (rows, n), 0)
        out_ref[...] += jnp.sum(jnp.where(row < m, x_ref[...], 0), axis=0)

    sums = pl.pallas_call(
        add_block,
        out_shape=jax.ShapeDtypeStruct((n,), x.dtype),
        grid=(pl.cdiv(m, rows),),
        in_specs=[pl.BlockSpec((rows, n), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((n,), lambda i: (0,)),
        interpret=True,
    )(x)
    return sums / m

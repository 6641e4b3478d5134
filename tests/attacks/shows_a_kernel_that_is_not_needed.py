"""Calls a Pallas kernel of the right grid, and drops its result: a loop computes the sum (F41).

Exercise: 18_pallas/add_kernel
Outcome: failed
"""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def add(x_ref, bias_ref, out_ref):
    out_ref[...] = x_ref[...] + bias_ref[...]


def kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    tile = pl.BlockSpec((rows, columns), lambda i, j: (i, j))
    return pl.pallas_call(
        add,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(pl.cdiv(m, rows), pl.cdiv(n, columns)),
        in_specs=[tile, pl.BlockSpec((columns,), lambda i, j: (j,))],
        out_specs=tile,
        interpret=True,
    )(x, bias)


def add_kernel(x, bias, block):
    kernel(x, bias, block)
    result = jnp.zeros_like(x)
    return jax.lax.fori_loop(0, 1, lambda _, result: x + bias, result)

"""Fix a kernel whose means are NaN.

Grids and BlockSpecs: https://docs.jax.dev/en/latest/pallas/grid_blockspec.html
"""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def column_means(x: jax.Array, rows: int) -> jax.Array:
    """Return the mean of each column, computed by a kernel that gets some rows at a time.

    A program that runs, and that somebody uses. Fix it.

    What was seen: with blocks of 64 rows, the means of 4096 rows are right. Those of 4097 rows are
    all NaN. With blocks of one row they are right, and slow.

    Args:
        x: float32 of shape (M, N), with M and N at least 1.
        rows: the number of rows of a block, a Python int of at least 1. It need not divide M, and
            may be larger.

    Returns:
        float32 of shape (N,). It comes from one `pallas_call`, whose grid has a point for each
        block. The kernel gets at most `rows` rows at a time. NaN and infinity in `x` count as they
        do in `jnp.mean`. Works under `jit` and `vmap`.

    Examples:
        >>> x = jnp.array([[1.0, 10.0], [2.0, 20.0], [6.0, 30.0]])
        >>> column_means(x, 3).tolist()
        [3.0, 20.0]

        Two blocks of two rows are needed for three:

        >>> column_means(x, 2).tolist()
        [3.0, 20.0]
    """
    (m, n), dtype = x.shape, x.dtype

    def add_block(x_ref, out_ref):
        @pl.when(pl.program_id(0) == 0)
        def start():
            out_ref[...] = jnp.zeros_like(out_ref)

        out_ref[...] += jnp.sum(x_ref[...], axis=0)

    sums = pl.pallas_call(
        add_block,
        out_shape=jax.ShapeDtypeStruct((n,), dtype),
        grid=(pl.cdiv(m, rows),),
        in_specs=[pl.BlockSpec((rows, n), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((n,), lambda i: (0,)),
        interpret=True,
    )(x)
    return sums / m

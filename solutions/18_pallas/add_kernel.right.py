"""Other right answers to add_kernel; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl


def into(x_ref, bias_ref, out_ref):
    out_ref[...] = bias_ref[...] + x_ref[...]


# %% one_row_of_bias
# The bias has an axis of length one.
def add_kernel(x, bias, block):
    rows, columns = block

    def kernel(x_ref, bias_ref, out_ref):
        out_ref[:, :] = lax.add(x_ref[:, :], jnp.broadcast_to(bias_ref[0, :], block))

    return pl.pallas_call(
        kernel,
        grid=(-(-x.shape[0] // rows), -(-x.shape[1] // columns)),
        in_specs=[
            pl.BlockSpec(block, lambda i, j: (i, j)),
            pl.BlockSpec((1, columns), lambda i, j: (0, j)),
        ],
        out_specs=pl.BlockSpec(block, lambda i, j: (i, j)),
        out_shape=x,
        interpret=True,
    )(x, bias[None])


# %% padded
# The arrays are padded to whole blocks, and the padding is cut off.
@jax.jit(static_argnums=2)
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    x = jnp.pad(x, ((0, -m % rows), (0, -n % columns)))
    bias = jnp.pad(bias, (0, -n % columns))
    tile = pl.BlockSpec(block, lambda i, j: (i, j))
    out = pl.pallas_call(
        into,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(x.shape[0] // rows, x.shape[1] // columns),
        in_specs=[tile, pl.BlockSpec((columns,), lambda i, j: (j,))],
        out_specs=tile,
        interpret=True,
    )(x, bias)
    return out[:m, :n]


# %% one_axis
# The grid has one axis, and a block is found by dividing with rest.
def add_kernel(x, bias, block):
    (m, n), (rows, columns) = x.shape, block
    right = pl.cdiv(n, columns)
    tile = pl.BlockSpec(block, lambda i: divmod(i, right))
    return pl.pallas_call(
        lambda a, b, c: c.__setitem__(..., a[...] + b[...][None, :]),
        out_shape=jax.ShapeDtypeStruct((m, n), x.dtype),
        grid=pl.cdiv(m, rows) * right,
        in_specs=[tile, pl.BlockSpec((columns,), lambda i: (lax.rem(i, right),))],
        out_specs=tile,
        interpret=True,
    )(x, bias)


# %% columns_first
# The first axis of the grid goes along the columns.
def add_kernel(x, bias, block):
    rows, columns = block
    tile = pl.BlockSpec((rows, columns), lambda j, i: (i, j))
    return pl.pallas_call(
        into,
        grid_spec=pl.GridSpec(
            grid=(pl.cdiv(x.shape[1], columns), pl.cdiv(x.shape[0], rows)),
            in_specs=[tile, pl.BlockSpec((columns,), lambda j, i: j)],
            out_specs=tile,
        ),
        out_shape=jax.typeof(x),
        interpret=True,
    )(x, bias)

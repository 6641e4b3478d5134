"""Other right answers to apply_batch; each cell is a suffix to the solution."""

import operator
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


# %% broadcast
# A product by broadcasting, and a sum.
def apply_batch(mat, vs):
    return (mat[None, :, :] * vs[:, None, :]).sum(axis=-1)


# %% einsum
# `einsum` with named axes.
def apply_batch(mat, vs):
    return jnp.einsum("mn,bn->bm", mat, vs)


# %% map_loop
# A compiled loop, by `lax.map` over a closure.
def apply_batch(mat, vs):
    return lax.map(lambda v: mat @ v, vs)


# %% matmul
# The batched product written by hand, under `jit`.
@jax.jit
def apply_batch(mat, vs):
    return vs @ mat.T


# %% nested_vmap
# A dot product mapped over the rows of the matrix, then over the batch.
def apply_batch(mat, vs):
    matvec = jax.vmap(jnp.vdot, in_axes=(0, None))
    return jax.vmap(lambda v: matvec(mat, v))(vs)


# %% along_axis
# `apply_along_axis`, as in NumPy.
def apply_batch(mat, vs):
    return jnp.apply_along_axis(mat.__matmul__, 1, vs)


# %% column_by_column
# A sum of columns, each scaled by one coordinate of every vector, in float32 or int32.
def apply_batch(mat, vs):
    def add(total, pair):
        column, scales = pair
        return total + jnp.outer(scales, column), None

    wide = jnp.int32 if mat.dtype == jnp.int32 else jnp.float32
    start = jnp.zeros((len(vs), len(mat)), wide)
    return lax.scan(add, start, (mat.T.astype(wide), vs.T.astype(wide)))[0].astype(mat.dtype)


# %% dot_general
# The primitive of `lax`, which contracts the last axes of both.
apply_batch = jax.jit(
    lambda mat, vs: lax.dot_general(vs, mat, dimension_numbers=(((1,), (1,)), ((), ())))
)


# %% matvec
# `jnp.matvec` broadcasts the matrix.
def apply_batch(mat, vs):
    return jnp.matvec(mat, vs)


# %% partial
# The matrix is bound first, and the rest is mapped.
def apply_batch(mat, vs):
    return jax.vmap(partial(operator.matmul, mat))(vs)


# %% signature
# `jnp.vectorize`, by a signature of both shapes.
apply_batch = jnp.vectorize(jnp.dot, signature="(m,n),(n)->(m)")


# %% one_device_mesh
# `shard_map` over a mesh of one device.
def apply_batch(mat, vs):
    mesh = jax.make_mesh(
        (1,), ("b",), axis_types=(jax.sharding.AxisType.Auto,), devices=jax.devices()[:1]
    )
    part = jax.shard_map(
        lambda mat, vs: vs @ mat.T, mesh=mesh, in_specs=(P(), P("b")), out_specs=P("b")
    )
    return part(mat, vs)


# %% custom_batching
# The rule for a batch is written by hand.
@jax.custom_batching.custom_vmap
def product(mat, v):
    return mat @ v


@product.def_vmap
def rule(size, batched, mat, vs):
    del size, batched
    return vs @ mat.T, True


def apply_batch(mat, vs):
    return jax.vmap(product, in_axes=(None, 0))(mat, vs)


# %% ragged
# A ragged product of one group.
def apply_batch(mat, vs):
    return lax.ragged_dot(vs, mat.T[None], jnp.array([vs.shape[0]], jnp.int32))


# %% convolution
# Each row of the matrix is a filter, as long as the vectors.
def apply_batch(mat, vs):
    return lax.conv_general_dilated(vs[:, None, :], mat[:, None, :], (1,), "VALID")[:, :, 0]

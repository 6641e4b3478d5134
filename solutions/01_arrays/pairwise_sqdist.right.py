"""Other right answers to pairwise_sqdist; each cell is a suffix to the solution."""

import operator

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% coordinate_by_coordinate
# A running sum over the coordinates, which never holds more than one table.
def pairwise_sqdist(X, Y):
    def add(table, coordinate):
        x, y = coordinate
        return table + jnp.subtract.outer(x, y) ** 2, None

    return lax.scan(add, jnp.zeros((X.shape[0], Y.shape[0])), (X.T, Y.T))[0]


# %% einsum
# Explicit axes, and `einsum` for the sum of squares, compiled.
@jax.jit
def pairwise_sqdist(X, Y):
    difference = jnp.expand_dims(X, 1) - jnp.expand_dims(Y, 0)
    return jnp.einsum("nmd,nmd->nm", difference, difference)


# %% expanded_square
# The square is expanded, so that most of the work is a matrix product.
def pairwise_sqdist(X, Y):
    x_norms = jnp.sum(X * X, axis=1, keepdims=True)
    y_norms = jnp.sum(Y * Y, axis=1)
    return x_norms + y_norms - 2 * (X @ Y.T)


# %% nested_vmap
# The distance of two points, mapped over Y and then over X.
def sqdist(x, y):
    return jnp.vdot(x - y, x - y)


def pairwise_sqdist(X, Y):
    to_all = jax.vmap(sqdist, in_axes=(None, 0))
    return jax.vmap(to_all, in_axes=(0, None))(X, Y)


# %% row_by_row
# One row of the table after the other, in a compiled loop.
def pairwise_sqdist(X, Y):
    return lax.map(lambda x: jnp.square(Y - x).sum(axis=1), X)


# %% along_axis
# `apply_along_axis` over the points of X, as in NumPy.
def pairwise_sqdist(X, Y):
    def to_all(x):
        return jnp.linalg.vector_norm((Y - x).at[:].power(2), ord=1, axis=-1)

    return jnp.apply_along_axis(to_all, 1, X)


# %% augmented
# One product of longer vectors, [x, |x|^2, 1] and [-2 y, 1, |y|^2].
def pairwise_sqdist(X, Y):
    x2, y2 = (jnp.vecdot(points, points)[:, None] for points in (X, Y))
    left = jnp.hstack([X, x2, jnp.ones_like(x2)])
    right = jnp.hstack([-2 * Y, jnp.ones_like(y2), y2])
    return jnp.tensordot(left, right, axes=(1, 1))


# %% lax_reduce
# Explicit broadcasts and a reduction with a given operator, both of `lax`.
def pairwise_sqdist(X, Y):
    shape = (X.shape[0], Y.shape[0], X.shape[1])
    difference = lax.broadcast_in_dim(X, shape, (0, 2)) - lax.broadcast_in_dim(Y, shape, (1, 2))
    return lax.reduce(lax.integer_pow(difference, 2), np.float32(0), operator.add, (2,))


# %% outer_ufunc
# A ufunc of two numbers, whose outer product holds more than is needed.
def pairwise_sqdist(X, Y):
    square = jnp.frompyfunc(lambda a, b: (a - b) * (a - b), nin=2, nout=1)
    return jnp.einsum("idjd->ij", square.outer(X, Y))


# %% rank_promotion
# Implicit rank promotion is an error in this file.
jax.config.update("jax_numpy_rank_promotion", "raise")
jax.config.update("jax_numpy_dtype_promotion", "strict")


def pairwise_sqdist(X, Y):
    return jnp.sum((X[:, None] - Y[None]) ** 2, axis=-1)


# %% checked_tracers
# Leaked tracers and NaN are errors, and products have the highest precision.
jax.config.update("jax_check_tracer_leaks", True)
jax.config.update("jax_debug_nans", True)
jax.config.update("jax_default_matmul_precision", "highest")


def pairwise_sqdist(X, Y):
    both = X @ Y.T
    return (X * X).sum(1)[:, None] + (Y * Y).sum(1) - both - both


# %% algorithm
# A product with a given algorithm, and a reduced precision that is none.
def pairwise_sqdist(X, Y):
    product = jnp.matmul(X, Y.T, precision=lax.DotAlgorithmPreset.F32_F32_F32)
    product = lax.reduce_precision(product, 8, 23)
    return jnp.add.outer(jnp.vecdot(X, X), jnp.vecdot(Y, Y)) - 2 * product


# %% complex_plane
# Pairs of coordinates are complex numbers.
def pairwise_sqdist(X, Y):
    odd = X.shape[1] % 2
    X, Y = (jnp.pad(points, ((0, 0), (0, odd))) for points in (X, Y))
    x, y = (lax.complex(points[:, ::2], points[:, 1::2]) for points in (X, Y))
    z = x[:, None] - y[None]
    return jnp.real(z * jnp.conj(z)).sum(-1)


# %% wide_everywhere
# 64 bits for the whole file, and 32 at the end.
jax.config.update("jax_enable_x64", True)


def pairwise_sqdist(X, Y):
    return ((jnp.float64(X)[:, None] - jnp.float64(Y)) ** 2).sum(2).astype(jnp.float32)

"""Other right answers to standardize_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% given_moments
# `jax.nn.standardize`, with moments that are computed before and no epsilon.
def standardize_rows(X):
    mean = jnp.mean(X, axis=1, keepdims=True)
    variance = jnp.var(X, axis=1, keepdims=True)
    return jax.nn.standardize(X, axis=1, mean=mean, variance=variance, epsilon=0.0)


# %% root_mean_square
# The variance of the centred rows, and `rsqrt`.
def standardize_rows(X):
    centred = X - jnp.expand_dims(X.mean(axis=-1), -1)
    variance = jnp.einsum("nm,nm->n", centred, centred) / X.shape[1]
    return centred * lax.rsqrt(variance)[:, None]


# %% row_by_row
# One row after the other, in a compiled loop.
def standardize_rows(X):
    def standardize(row):
        centred = row - row.sum() / row.size
        return centred / (centred**2).mean() ** 0.5

    return lax.map(standardize, X)


# %% transposed
# The columns of the transpose, where the shapes fit without `keepdims`.
@jax.jit
def standardize_rows(X):
    columns = X.T
    return ((columns - columns.mean(axis=0)) / columns.std(axis=0)).T


# %% vmapped_row
# A function of one row, mapped over all of them.
@jax.vmap
def standardize_rows(row):
    return (row - jnp.mean(row)) / jnp.std(row)


# %% along_axis
# A function of one row by `apply_along_axis`, and the norm instead of the deviation.
def standardize_rows(X):
    def standardize(row):
        centred = row - jnp.average(row)
        return centred / jnp.linalg.norm(centred) * np.sqrt(row.size)

    return jnp.apply_along_axis(standardize, -1, X)


# %% centring_matrix
# A product with the matrix that subtracts the mean, of rows that begin with 0.
def standardize_rows(X):
    m = X.shape[1]
    centred = (X - X[:, :1]) @ (jnp.eye(m) - np.full((m, m), 1 / m, np.float32))
    scale = jnp.vecdot(centred, centred, axis=-1) / m
    return (centred.T / jnp.sqrt(scale)).T


# %% welford
# Mean and squared distances are updated column by column, as in a stream that begins with 0.
def standardize_rows(X):
    X = X - X[:, :1]

    def take(state, column):
        count, mean, squares = state
        count = count + 1
        change = column - mean
        mean = mean + change / count
        return (count, mean, squares + change * (column - mean)), None

    nothing = jnp.zeros_like(X[:, 0])
    (count, mean, squares), _ = lax.scan(take, (0, nothing, nothing), X.T)
    return jnp.divide(X - mean[:, None], jnp.sqrt(squares / count)[:, None])


# %% double_precision
# Moments in float64.
def standardize_rows(X):
    with jax.enable_x64(True):
        wide = lax.convert_element_type(X, jnp.float64)
        out = (wide - wide.mean(1, keepdims=True)) / wide.std(1, keepdims=True)
        return lax.convert_element_type(out, X.dtype)


# %% fourier
# The mean is the first Fourier coefficient.
def standardize_rows(X):
    waves = jnp.fft.rfft(X - X[:, :1]).at[:, 0].set(0)
    centred = jnp.fft.irfft(waves, n=X.shape[1])
    return centred / jnp.sqrt(jnp.mean(centred**2, axis=1, keepdims=True))


# %% householder
# Rows are projected by an orthogonal basis from QR.
def standardize_rows(X):
    q, _ = jnp.linalg.qr(jnp.ones((X.shape[1], 1)))
    X = X - X[:, :1]
    centred = X - (X @ q) @ q.T
    return jax.vmap(lambda row: row / jnp.linalg.norm(row[None], 2))(centred) * X.shape[1] ** 0.5


# %% running_mean
# Welford's recurrence from the first column on, without a shift.
def standardize_rows(X):
    mean, squares = X[:, 0], jnp.zeros_like(X[:, 0])
    for count, column in enumerate(X.T[1:], 2):
        change = column - mean
        mean = mean + change / count
        squares = squares + change * (column - mean)
    return ((X.T - mean) / jnp.sqrt(squares / X.shape[1])).T

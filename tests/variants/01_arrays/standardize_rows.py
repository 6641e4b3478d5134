"""Other right answers to standardize_rows; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
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

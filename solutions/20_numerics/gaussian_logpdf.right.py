"""Other right answers to gaussian_logpdf; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular


# %% mapped_points
# A function of one point, which is mapped over many; the factor is made before.
def gaussian_logpdf(x, mean, cov):
    factor = jnp.linalg.cholesky(cov)

    def of_one(point):
        z = solve_triangular(factor, point - mean, lower=True)
        return -0.5 * z @ z - jnp.log(jnp.diag(factor)).sum() - 0.5 * z.size * math.log(2 * math.pi)

    return of_one(x) if x.ndim == 1 else jax.vmap(of_one)(x)


# %% solved_twice
# `cho_factor` and `cho_solve`, with an upper triangle.
@jax.jit
def gaussian_logpdf(x, mean, cov):
    r = jnp.atleast_2d(x) - mean
    factor, lower = cho_factor(cov)
    square = jnp.einsum("mi,im->m", r, cho_solve((factor, lower), r.T))
    logdet = 2 * jnp.log(jnp.diagonal(factor)).sum()
    found = -0.5 * (square + logdet + len(mean) * math.log(2 * math.pi))
    return found.reshape(x.shape[:-1])


# %% library
# The function that JAX has.
def gaussian_logpdf(x, mean, cov):
    return jax.scipy.stats.multivariate_normal.logpdf(x, mean, cov)


# %% eigenvalues
# Axes of the ellipse in place of a triangle.
def gaussian_logpdf(x, mean, cov):
    values, vectors = jnp.linalg.eigh(cov)
    z = (x - mean) @ vectors / jnp.sqrt(values)
    logdet = jnp.sum(jnp.log(values))
    return -(jnp.sum(z * z, -1) + logdet + values.size * jnp.log(2 * jnp.pi)) / 2


# %% own_factor
# A factor by a loop over its columns, and the system by the same steps.
def gaussian_logpdf(x, mean, cov):
    n = len(mean)
    r = (x - mean).reshape(-1, n)

    def column(carry, k):
        rest, r, total = carry
        pivot = jnp.sqrt(rest[k, k])
        below = jnp.where(jnp.arange(n) > k, rest[:, k] / pivot, 0)
        z = r[:, k] / pivot
        rest = rest - jnp.outer(below, below)
        return (rest, r - z[:, None] * below, total - jnp.log(pivot) - 0.5 * z**2), None

    start = cov, r, jnp.full(r.shape[0], -0.5 * n * jnp.log(2 * jnp.pi))
    found = lax.scan(column, start, jnp.arange(n))[0][2]
    return found.reshape(x.shape[:-1])


# %% vectorized
# `jnp.vectorize`, which maps over all axes in front.
@jax.jit
def gaussian_logpdf(x, mean, cov):
    factor = lax.linalg.cholesky(cov)
    solve = jnp.vectorize(
        lambda r: lax.linalg.triangular_solve(factor, r[:, None], left_side=True, lower=True)[:, 0],
        signature="(n)->(n)",
    )
    z = solve(x - mean)
    return -0.5 * jnp.vecdot(z, z) - jnp.log(jnp.sqrt(2 * jnp.pi) * jnp.diag(factor)).sum()

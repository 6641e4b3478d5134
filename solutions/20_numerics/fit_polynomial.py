"""Reference solution: powers of the scaled time, and a QR factorisation."""

import jax
import jax.numpy as jnp
from jax.scipy.linalg import solve_triangular


def fit_polynomial(t: jax.Array, y: jax.Array, degree: int) -> jax.Array:
    """Nothing is squared: the factors are those of the matrix itself."""
    low, high = jnp.min(t), jnp.max(t)
    u = (t - (low + high) / 2) / ((high - low) / 2)
    columns = [jnp.ones_like(u)]
    for _ in range(degree):
        columns.append(columns[-1] * u)
    orthonormal, triangle = jnp.linalg.qr(jnp.stack(columns, axis=1))
    return solve_triangular(triangle, orthonormal.T @ y)

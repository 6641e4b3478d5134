"""Reference solution: powers of the scaled time, and a QR factorisation."""

import jax
import jax.numpy as jnp
from jax.scipy.linalg import solve_triangular


def fit_polynomial(t: jax.Array, y: jax.Array, degree: int) -> jax.Array:
    """Nothing is squared: the factors are those of the matrix itself."""
    low, high = jnp.min(t), jnp.max(t)
    u = (t - (low + high) / 2) / ((high - low) / 2)
    orthonormal, triangle = jnp.linalg.qr(jnp.vander(u, degree + 1, increasing=True))
    return solve_triangular(triangle, orthonormal.T @ y)

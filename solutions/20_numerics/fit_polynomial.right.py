"""Other right answers to fit_polynomial; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


# %% least_squares
# Singular values, by `lstsq`.
def fit_polynomial(t, y, degree):
    u = 2 * (t - t.min()) / (t.max() - t.min()) - 1
    return jnp.linalg.lstsq(u[:, None] ** jnp.arange(degree + 1), y)[0]


# %% triangle_with_the_right_side
# The right side as one more column: its part of the triangle is Qᵀ y.
@partial(jax.jit, static_argnums=2)
def fit_polynomial(t, y, degree):
    low, high = jnp.min(t), jnp.max(t)
    u = (2 * t - low - high) / (high - low)
    columns = [jnp.ones_like(u)]
    for _ in range(degree):
        columns.append(columns[-1] * u)
    if len(t) <= degree + 1:  # then the right side has no row of its own
        return jnp.linalg.solve(jnp.stack(columns, axis=1), y)
    triangle = jnp.linalg.qr(jnp.stack([*columns, y], axis=1), mode="r")
    return jnp.linalg.solve(triangle[: degree + 1, : degree + 1], triangle[: degree + 1, -1])


# %% pseudoinverse
# The pseudoinverse comes from singular values, too.
def fit_polynomial(t, y, degree):
    u = (t - (t.min() + t.max()) / 2) / ((t.max() - t.min()) / 2)
    return jnp.linalg.pinv(jnp.stack([u**k for k in range(degree + 1)], axis=1)) @ y


# %% chebyshev
# Normal equations of Chebyshev polynomials, whose columns are nearly orthogonal.
def fit_polynomial(t, y, degree):
    u = (t - (t.min() + t.max()) / 2) / ((t.max() - t.min()) / 2)
    columns = [jnp.ones_like(u), u]
    for _ in range(degree - 1):
        columns.append(2 * u * columns[-1] - columns[-2])
    matrix = jnp.stack(columns[: degree + 1], axis=1)
    c = jnp.linalg.solve(matrix.T @ matrix, matrix.T @ y)
    to_powers = np.zeros((degree + 1, degree + 1), np.float32)
    for k, unit in enumerate(np.eye(degree + 1)):
        found = np.polynomial.chebyshev.cheb2poly(unit)
        to_powers[: len(found), k] = found
    return to_powers @ c

"""Compute a density in many dimensions.

https://docs.jax.dev/en/latest/_autosummary/jax.scipy.linalg.solve_triangular.html
"""

import jax


def gaussian_logpdf(x: jax.Array, mean: jax.Array, cov: jax.Array) -> jax.Array:
    """Return the log density of a multivariate normal distribution.

    With r = x - mean, it is -(r . inv(cov) r + log(det(cov)) + n log(2 pi)) / 2. The formula is not
    a program: in 100 dimensions the determinant is often smaller or larger than any float32, and
    the inverse isn't needed. `jnp.linalg.cholesky` gives a lower triangle L with L Lᵀ = cov. This
    one factor serves both parts: a triangular system, which `jax.scipy.linalg.solve_triangular`
    solves, and the logarithm of the determinant.

    Args:
        x: [n] float32, one point, or [m, n] float32, one point in each row.
        mean: [n] float32.
        cov: [n, n] float32, symmetric. So only the sum of entries [i, j] and [j, i] of its gradient
            is determined.

    Returns:
        float32: a scalar for one point, [m] for m points. It is right even if the determinant of
        `cov` is too small or too large for float32. If `cov` has a negative eigenvalue, the result
        is NaN, even if the determinant is positive. If no eigenvalues of `cov` are equal, the
        gradients in `mean` and `cov` are those of the formula. The program factors `cov` once:
        lowered for the CPU, it has at most three calls to a linear algebra library (`custom_call`),
        even for many points. Works under `jit` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> cov = jnp.array([[4.0, 2.0], [2.0, 5.0]])
        >>> round(float(gaussian_logpdf(jnp.array([3.0, 4.0]), jnp.ones(2), cov)), 3)
        -4.224
        >>> points = jnp.array([[1.0, 1.0], [3.0, 4.0], [3.0, 2.0]])
        >>> [round(float(p), 3) for p in gaussian_logpdf(points, jnp.ones(2), cov)]
        [-3.224, -4.224, -3.724]

        In 100 dimensions, with a determinant of 1e-400:

        >>> zero = jnp.zeros(100)
        >>> round(float(gaussian_logpdf(zero, zero, 1e-4 * jnp.eye(100))), 1)
        368.6
    """
    # TODO: factor cov, solve a triangular system, and add up logarithms.
    raise NotImplementedError

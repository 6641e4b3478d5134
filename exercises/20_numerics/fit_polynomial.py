"""Fit a curve without losing half the digits.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.qr.html
"""

import jax


def fit_polynomial(t: jax.Array, y: jax.Array, degree: int) -> jax.Array:
    """Return the coefficients of the polynomial closest to some measured points.

    Calibrations and trends are linear in their coefficients: A c should be close to y, where the
    columns of A are powers. Books give the normal equations, Aᵀ A c = Aᵀ y. But the condition
    number of Aᵀ A is the square of that of A, so they lose twice as many digits, and float32 has
    seven. `jnp.linalg.qr` works on A itself: A = Q R, where the columns of Q are orthonormal and R
    is a triangle. Powers of large numbers would also spoil A. So the polynomial is in u, which is t
    shifted and scaled to run from -1 to 1.

    Args:
        t: [m] float32, in any order, at least two distinct numbers, and more distinct ones than
            `degree`.
        y: [m] float32, the measurements at t.
        degree: a Python int of at least 0.

    Returns:
        [degree + 1] float32, the coefficients c with the smallest sum of (p - y)^2, where p is the
        sum of c[k] u^k, and u = (t - middle) / half. `middle` is (min(t) + max(t)) / 2, and `half`
        is (max(t) - min(t)) / 2. For degree 10 and evenly spread points each coefficient is within
        0.003 of the exact one, if these are about 1. Has gradients in t and y, even where u is 0,
        unless two singular values of A are equal: an SVD has no derivative there. Works under `jit`
        and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> year = jnp.array([2000.0, 2010.0, 2001.0, 2003.0])
        >>> y = jnp.array([1.4, 4.6, 1.72, 2.36])
        >>> [round(float(c), 3) for c in fit_polynomial(year, y, 1)]
        [3.0, 1.6]

        A polynomial is recovered, even one of a high degree:

        >>> t = jnp.linspace(0.0, 20.0, 41)
        >>> found = fit_polynomial(t, ((t - 10) / 10) ** 10, 10)
        >>> float(jnp.abs(found - jnp.eye(11)[10]).max()) < 0.001
        True
    """
    # TODO: scale t, fill a matrix with its powers, and solve with a QR factorisation.
    raise NotImplementedError

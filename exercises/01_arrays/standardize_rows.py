"""Reduce along one axis, and keep it.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.std.html
"""

import jax


def standardize_rows(X: jax.Array) -> jax.Array:
    """Return the matrix with each row shifted and scaled to mean 0 and standard deviation 1.

    This is layer normalisation without its parameters. A reduction removes an axis. Broadcasting
    then aligns the result with the last axis, which is the wrong one here.

    Args:
        X: [n, m] float32, n at least 1, m at least 2, no row constant.

    Returns:
        [n, m] float32; each row has mean 0 and standard deviation 1. The standard deviation divides
        by m (NumPy's default), and nothing is added to it. Works under `jit` and `vmap`, and has a
        gradient.

    Examples:
        >>> import jax.numpy as jnp
        >>> X = jnp.array([[1.0, 3.0], [-50.0, -10.0], [0.0, 0.5]])
        >>> standardize_rows(X).tolist()
        [[-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]]

        Each row is standardized separately, even in a square matrix:

        >>> square = jnp.array([[0.0, 4.0], [8.0, 6.0]])
        >>> standardize_rows(square).tolist()
        [[-1.0, 1.0], [1.0, -1.0]]

    Details:
        Rows may be tiny or huge, from a millionth to a million. They may be far from 0, at a
        thousand times their deviation. Only a row with NaN becomes NaN.
    """
    # TODO: compute mean and deviation per row, in a shape that lines up with the rows.
    raise NotImplementedError

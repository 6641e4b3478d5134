"""Reduce along one axis, and keep it.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.std.html
"""

import jax


def standardize_rows(X: jax.Array) -> jax.Array:
    """Return the matrix with each row shifted and scaled to mean 0 and standard deviation 1.

    This is layer normalisation without its parameters, and what most data goes through before a
    model sees it. A reduction removes an axis, and then broadcasting lines up what is left with
    the last axis, the wrong one here. If the matrix isn't square you get an error. If it is, you
    get numbers.

    Args:
        X: [n, m] floats, m at least 2, no row constant. Rows may differ in scale by orders of
            magnitude, and may lie far from 0.

    Returns:
        [n, m]; each row has mean 0 and standard deviation 1, the one that divides by m (NumPy's
        default). The spread is exactly that, with nothing added to it. Works under `jit` and
        `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> X = jnp.array([[1.0, 3.0], [-50.0, -10.0], [0.0, 0.5]])
        >>> standardize_rows(X).tolist()
        [[-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]]

        Every row counts for itself, in a square matrix, too:

        >>> square = jnp.array([[0.0, 4.0], [8.0, 6.0]])
        >>> standardize_rows(square).tolist()
        [[-1.0, 1.0], [1.0, -1.0]]
    """
    # TODO: take mean and deviation per row, in a shape that lines up with the rows.
    raise NotImplementedError

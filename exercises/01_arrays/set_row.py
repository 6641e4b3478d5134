"""Replace a row of an array that can't be changed.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""

import jax


def set_row(x: jax.Array, i: int | jax.Array, row: jax.Array) -> jax.Array:
    """Return a copy of the matrix `x` in which row `i` is `row`.

    A JAX array never changes: `x[i] = row` raises an error, and every update makes a new array. The
    program often computes `i` itself, so `i` is traced.

    Args:
        x: [n, m], booleans or numbers of any dtype.
        i: the row to replace, 0 <= i < n; a Python int or a scalar int32 array.
        row: [m], the dtype of `x`.

    Returns:
        [n, m], the dtype of `x`. The argument `x` stays unchanged. All other rows are those of `x`.
        Works under `jit`, where one program serves every `i`, and under `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([[1, 2, 3], [4, 5, 6]])
        >>> row = jnp.array([7, 8, 9])
        >>> set_row(x, 1, row).tolist()
        [[1, 2, 3], [7, 8, 9]]

        The index may be traced:

        >>> jax.jit(set_row)(x, jnp.array(0), row).tolist()
        [[7, 8, 9], [4, 5, 6]]

    Details:
        The result contains exactly the old and the new numbers. NaN or infinity in the old row
        leaves no trace. For 180 rows, the program has fewer than 180 operations.
    """
    # TODO: create the updated copy and return it.
    raise NotImplementedError

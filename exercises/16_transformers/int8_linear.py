"""Multiply integers instead of floats.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.dot_general.html
"""

import jax


def quantise_columns(w: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return w as 8-bit integers, and a scale for each column.

    A large model reads all its weights for each token, and it reads 8-bit weights four times as
    fast as 32-bit ones. Each column has its own scale, since a column of large numbers would
    otherwise round the others away.

    Args:
        w: [n, m] float32, all finite, and no absolute value between 0 and 1e-30; n and m at least
            1.

    Returns:
        The integers, [n, m] int8, from -127 to 127, and the scales, [m] float32. The scale of a
        column is its largest absolute value divided by 127. Each integer is the quotient of number
        and scale, rounded to the nearest integer.

    Examples:
        >>> import jax.numpy as jnp
        >>> q, scale = quantise_columns(jnp.array([[127.0, 0.5], [-2.75, -63.5], [0.25, 0.0]]))
        >>> q.tolist(), scale.tolist()
        ([[127, 1], [-3, -127], [0, 0]], [1.0, 0.5])

    Details:
        A quotient halfway between two integers rounds to the even one, as in `jnp.round`. A column
        of zeros has the scale 0 and the integers 0.
    """
    # TODO: compute the scales, divide, round, and cast.
    raise NotImplementedError


def int8_linear(x: jax.Array, q: jax.Array, scale: jax.Array) -> jax.Array:
    """Return nearly x @ w, where the weights w are given as integers and scales.

    If you convert the integers to floats first, the whole matrix is written and read again, and
    nothing is gained. So also convert the rows of x to integers, each row like a column of weights.
    Then multiply integers by integers. A product of two int8 doesn't fit into int8, and JAX sums in
    the dtype of its arguments. `preferred_element_type` requests another one.

    Args:
        x: [B, n] float32, with the same limits as a column of w; B at least 1, and n at most
            100,000.
        q: [n, m] int8, from -127 to 127.
        scale: [m] float32, 0 or more.

    Returns:
        [B, m] float32, for which row b of x becomes 8-bit integers by its own scale s[b], as a
        column does in `quantise_columns`. Element [b, j] is the exact sum of the products of these
        integers with those of column j, times s[b] times scale[j]. The sum is an int32. If B is far
        smaller than n and m, the traced program builds no array of q's size, not even in pieces.

    Examples:
        >>> import jax.numpy as jnp
        >>> q = jnp.array([[127, 1], [-3, -127], [0, 0]], jnp.int8)
        >>> scale = jnp.array([1.0, 0.5])
        >>> x = jnp.array([[127.0, 0.0, 2.0], [0.0, 254.0, 0.0]])
        >>> int8_linear(x, q, scale).tolist()
        [[16129.0, 63.5], [-762.0, -16129.0]]

        A number that is less than half of its row's scale becomes 0:

        >>> int8_linear(jnp.array([[127.0, 0.25, 0.0]]), q, scale).tolist()
        [[16129.0, 63.5]]

    Details:
        A row of zeros gives zeros. Works under `jit`.
    """
    # TODO: convert the rows of x to integers, multiply, and scale the sums.
    raise NotImplementedError

"""Select elements by their value, into a shape that is fixed in advance.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html
"""

import jax


def negatives_padded(x: jax.Array, size: int) -> jax.Array:
    """Return the first `size` negative elements of `x` in order, padded with zeros.

    In NumPy you would write `x[x < 0]`, and its length would depend on the numbers. A compiled
    program needs every length before it sees a number. So JAX programs that select things (boxes of
    a detector, tokens for an expert, collisions of a simulation) reserve a fixed number of places,
    and pad those left over. Be careful with these places. An index that means "nothing" still reads
    an element: -1 reads the last element, and an index that is too big is moved back to the last
    element.

    Args:
        x: [n], floats or integers.
        size: the number of places; a Python int, at least 1, static under `jit`. It may be greater
            than n.

    Returns:
        [size], the dtype of `x`: the elements below zero in the order of `x`, then zeros. If there
        are more than `size` such elements, the first `size` of them are returned. Works under `jit`
        and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([3, -1, 0, -7, 2, -4])
        >>> negatives_padded(x, 5).tolist()
        [-1, -7, -4, 0, 0]
        >>> negatives_padded(x, 2).tolist()
        [-1, -7]

        A compiled program returns one length for every input:

        >>> pick = jax.jit(negatives_padded, static_argnums=1)
        >>> pick(-x, 4).tolist(), pick(abs(x), 4).tolist()
        ([-3, -2, 0, 0], [0, 0, 0, 0])

    Details:
        Integers and half precision keep their dtype and every digit. Minus infinity is negative,
        and NaN is not.
    """
    # TODO: find the positions of at most `size` negative elements, and read the elements there.
    raise NotImplementedError

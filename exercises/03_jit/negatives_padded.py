"""Pick elements by their value, into a shape that is fixed in advance.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html
"""

import jax


def negatives_padded(x: jax.Array, size: int) -> jax.Array:
    """Return the first `size` negative elements of `x` in order, padded with zeros.

    In NumPy you would write `x[x < 0]`, and its length would depend on the numbers. A compiled
    program needs every length before it sees a number, so programs in JAX that pick things (boxes
    of a detector, tokens for an expert, collisions of a simulation) reserve room for as many as
    they allow, and fill up what remains. Take care with what remains: an index that means
    "nothing" reads something all the same, since -1 is the last element and an index that is too
    big is moved back to it.

    Args:
        x: [n], floats or integers.
        size: how many to make room for; a Python int, at least 1, static under `jit`. It may be
            greater than n.

    Returns:
        [size], the dtype of `x`: the elements below zero in the order in which they stand in
        `x`, then zeros. If there are more than `size` of them, the first `size`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([3, -1, 0, -7, 2, -4])
        >>> negatives_padded(x, 5).tolist()
        [-1, -7, -4, 0, 0]
        >>> negatives_padded(x, 2).tolist()
        [-1, -7]

        A compiled program has one length for every input:

        >>> pick = jax.jit(negatives_padded, static_argnums=1)
        >>> pick(-x, 4).tolist(), pick(abs(x), 4).tolist()
        ([-3, -2, 0, 0], [0, 0, 0, 0])
    """
    # TODO: find where the negative elements are, at most `size` of them, and read them there.
    raise NotImplementedError

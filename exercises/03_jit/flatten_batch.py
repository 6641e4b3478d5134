"""Compute a shape while tracing, and numbers at run time.

How to think in JAX: https://docs.jax.dev/en/latest/notebooks/thinking_in_jax.html
"""

import jax


def flatten_batch(x: jax.Array) -> jax.Array:
    """Return each example of a batch as one row.

    Under `jit`, the numbers in an array are unknown, but its shape is known: `x.shape` is a tuple
    of Python ints. Whatever you compute from it with Python can be used as a shape. Whatever you
    compute with `jnp` is traced, so it can't. For an empty batch, JAX can't compute a length that
    you leave open.

    Args:
        x: [B, ...], with any number of axes after the first one, or none.

    Returns:
        [B, k], the dtype of `x`. Row b contains the k elements of `x[b]`, with the last axis
        varying fastest. k depends only on the other axes, even when B is 0. If there are no other
        axes, k is 1. Works under `jit`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.arange(12).reshape(2, 3, 2)
        >>> jax.jit(flatten_batch)(x).tolist()
        [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]

        An empty batch also has a row length:

        >>> flatten_batch(jnp.zeros((0, 28, 28))).shape
        (0, 784)

    Details:
        Integers, booleans and half precision keep their dtype and every digit. Another axis may
        have length 0. Then k is also 0.
    """
    # TODO: compute the length of a row, and reshape.
    raise NotImplementedError

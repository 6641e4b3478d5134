"""Average some of the numbers, without a shape that depends on the data.

The Sharp Bits: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
"""

import jax


def masked_mean(x: jax.Array, mask: jax.Array) -> jax.Array:
    """Return the mean of those elements of `x` where `mask` is true.

    Sequences in a batch are padded to one length, and a mask marks the real elements. In NumPy you
    would write `x[mask].mean()`. Under `jit`, this can't work, since the shape of `x[mask]` depends
    on values. Instead, keep the full shape, and replace what doesn't count with something neutral.
    There are two traps: padding may contain NaN, and a batch may contain no real element at all.

    Args:
        x: floats of any shape, including []; at least one element.
        mask: booleans of the shape of `x`.

    Returns:
        A scalar of the dtype of `x`: the sum of all elements that count, divided by their number.
        Elements that the mask leaves out have no influence, whatever their values. Where the mask
        is false everywhere, the value is 0, and so is its gradient. Works under `jit` and `grad`.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([1.0, jnp.nan, 5.0])
        >>> mask = jnp.array([True, False, True])
        >>> float(masked_mean(x, mask))
        3.0
        >>> float(jax.jit(masked_mean)(x, mask))
        3.0
        >>> nothing = jnp.zeros(3, dtype=bool)
        >>> float(masked_mean(x, nothing)), jax.grad(masked_mean)(x, nothing).tolist()
        (0.0, [0.0, 0.0, 0.0])

    Details:
        In half precision, the result keeps the dtype of `x`, even where nothing counts. A NaN that
        counts makes the mean NaN.
    """
    # TODO: sum the elements that count, count them, and divide safely.
    raise NotImplementedError

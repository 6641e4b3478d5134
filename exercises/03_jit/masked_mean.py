"""Average some of the numbers, without a shape that depends on the data.

https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
"""

import jax


def masked_mean(x: jax.Array, mask: jax.Array) -> jax.Array:
    """Return the mean of those elements of `x` where `mask` is true.

    Sequences in a batch are padded to one length, and a mask says what is real. In NumPy you
    would write `x[mask].mean()`; under `jit` that can't work, since the shape of `x[mask]`
    depends on values. You keep the full shape and neutralise what doesn't count. Two traps lie
    there: padding may hold NaN, and a batch may hold nothing that is real. Either one is enough
    to turn a whole training run into NaN.

    Args:
        x: floats of any shape.
        mask: booleans of the shape of `x`.

    Returns:
        A scalar of the dtype of `x`. What the mask leaves out has no influence, whatever it is.
        Where the mask is false everywhere, the value is 0, and so is its gradient.

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
    """
    # TODO: sum what counts, count it, and divide safely.
    raise NotImplementedError

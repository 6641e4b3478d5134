"""Add up in float32 what comes in half precision.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.matmul.html
"""

import jax


def accumulate_bf16(x: jax.Array, w: jax.Array) -> jax.Array:
    """Return the product of the matrices `x` and `w` in float32.

    A bfloat16 has 8 binary digits, and `x @ w` has the dtype of `x`, so each sum is rounded. To
    convert the result is too late, and to convert `x` and `w` needs copies of twice the size.
    `preferred_element_type` tells a product which dtype its result has.

    Args:
        x: [M, K] bfloat16 or float16.
        w: [K, N], of the dtype of `x`.

    Returns:
        [M, N] float32: the sums of the products, as exact as float32. In the program, no operation
        gives a result in half precision, and none makes a float32 copy of an argument. Works under
        `jit` and `vmap`. Both arguments have gradients, in their dtypes.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([[256.0, 1.0], [2.0, 0.5]], jnp.bfloat16)
        >>> w = jnp.array([[1.0, 0.0], [1.0, 4.0]], jnp.bfloat16)
        >>> accumulate_bf16(x, w).tolist()
        [[257.0, 4.0], [2.5, 2.0]]

    Details:
        The sums may be larger than any float16. NaN and infinity count as in every product.
    """
    # TODO: ask the product for its result in float32.
    raise NotImplementedError

"""Add up in float32 what comes in half precision.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.matmul.html
"""

import jax


def accumulate_bf16(x: jax.Array, w: jax.Array) -> jax.Array:
    """Return the product of the matrices `x` and `w` in float32.

    Networks keep weights and activations in bfloat16, which needs half the memory of float32. Each
    number has only 8 binary digits. The units for matrices multiply such numbers exactly, and add
    the products in float32. But `x @ w` has the dtype of `x`, so the sum is rounded to 8 digits at
    the end. To convert the result to float32 is too late: the digits are lost. To convert `x` and
    `w` before the product needs copies of twice the size, and the slower units for float32.
    `preferred_element_type` tells a product of JAX which dtype its result should have.

    Args:
        x: [M, K] bfloat16 or float16, with M, K and N at least 1.
        w: [K, N], of the dtype of `x`.

    Returns:
        [M, N] float32: the sums of the products, as exact as float32. In the program, no operation
        gives a result in half precision, and none makes a float32 copy of an argument. Works under
        `jit` and `vmap`. Has a gradient in both arguments, which has their dtype.

    Examples:
        >>> import jax.numpy as jnp
        >>> x = jnp.array([[256.0, 1.0], [2.0, 0.5]], jnp.bfloat16)
        >>> w = jnp.array([[1.0, 0.0], [1.0, 4.0]], jnp.bfloat16)
        >>> accumulate_bf16(x, w).tolist()
        [[257.0, 4.0], [2.5, 2.0]]
        >>> accumulate_bf16(x, w).dtype.name
        'float32'

        In bfloat16, there is no 257:

        >>> (x @ w).tolist()
        [[256.0, 4.0], [2.5, 2.0]]

        No argument is converted:

        >>> "tensor<2x64xf32>" in jax.jit(accumulate_bf16).lower(
        ...     jnp.ones((2, 64), jnp.bfloat16), jnp.ones((64, 3), jnp.bfloat16)).as_text()
        False

    Details:
        In float16, the sums may be larger than 65504, its largest number. NaN and infinity count as
        in every product.
    """
    # TODO: ask the product for its result in float32.
    raise NotImplementedError

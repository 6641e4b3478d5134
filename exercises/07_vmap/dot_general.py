"""Multiply, sum and keep axes in one operation.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.dot_general.html
"""

import jax


def attention_scores(q: jax.Array, k: jax.Array) -> jax.Array:
    """Return the product of every query with every key, for each example and each head.

    Entry (b, h, t, s) is the sum of `q[b, t, h, d] * k[b, s, h, d]` over d. In terms of
    `jax.lax.dot_general`, d is contracted, and b and h are batch axes: they are in both inputs and
    in the result. If you multiply with broadcasting and then sum, you request an array of B x H x T
    x S x D elements. And if you first transpose or cast the inputs, each of them is copied.

    The inputs may have half precision, but sums have to be float32. Casting the result is too late
    for that. `preferred_element_type` is the dtype in which such a product sums and returns its
    result.

    Args:
        q: [B, T, H, D] float32, bfloat16 or float16, the queries. B, T and S may be 0.
        k: [B, S, H, D] of the dtype of `q`, the keys.

    Returns:
        [B, H, T, S] float32, with sums in float32. The program makes no array but the result: no
        input is copied in another order or dtype. Works under `jit`, `grad` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> q = jnp.array([[[[1.0, 2.0]], [[0.0, 1.0]]]])  # two queries of one head
        >>> k = jnp.array([[[[1.0, 0.0]], [[0.0, 3.0]], [[2.0, 2.0]]]])  # three keys
        >>> attention_scores(q, k).tolist()
        [[[[1.0, 6.0, 6.0], [0.0, 3.0, 2.0]]]]

        256 + 1 can't be written in bfloat16, so the sum needs float32:

        >>> ones = jnp.ones((1, 1, 1, 257), jnp.bfloat16)
        >>> attention_scores(ones, ones).tolist()
        [[[[257.0]]]]

        No array of all products is made, and nothing but the product is needed:

        >>> q, k = jnp.ones((2, 8, 4, 16)), jnp.ones((2, 9, 4, 16))
        >>> program = str(jax.make_jaxpr(attention_scores)(q, k))
        >>> "mul" in program, "transpose" in program
        (False, False)

    Details:
        In half precision, the gradients have the dtype of their input, and they are right where the
        incoming gradient is too large for float16.
    """
    # TODO: contract d, and keep b and h.
    raise NotImplementedError

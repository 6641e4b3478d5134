"""Rotate pairs of numbers by an angle that grows with the position.

Design of type promotion: https://docs.jax.dev/en/latest/jep/9407-type-promotion.html
"""

import jax


def rope(x: jax.Array, positions: jax.Array) -> jax.Array:
    """Return queries or keys with rotary position embedding.

    Rotary embedding rotates each pair of numbers by an angle, position times frequency, before the
    scores are computed. A score then depends on the distance between two tokens, not on where they
    are. The first pair rotates fastest, by one radian per position. Networks compute in bfloat16,
    which has 8 binary digits: it can't represent 257, so position 257 would be rotated like 256, an
    error of one radian. A product of an int32 array and a bfloat16 array is bfloat16. So neither
    positions nor frequencies nor angles may take the dtype of `x`.

    Args:
        x: [T, H, d] float32, bfloat16 or float16: T tokens, H heads, and d even.
        positions: [T] int32, from 0 to 10,000, in any order.

    Returns:
        [T, H, d], of the dtype of `x`. Pair i of a head is a = x[t, :, i] and b = x[t, :, i + h],
        with i < h = d / 2. Its angle p is positions[t] * 10000 ** (-i / h), in float32 for each
        dtype. It becomes a * cos(p) - b * sin(p) and a * sin(p) + b * cos(p).

    Examples:
        355 is 113 times pi, with an error of 0.00003, so position 355 changes all signs:

        >>> import jax.numpy as jnp
        >>> x = jnp.array([[[3.0, 4.0]], [[3.0, 4.0]], [[3.0, 4.0]]])
        >>> rope(x, jnp.array([0, 355, 710])).round(2).tolist()
        [[[3.0, 4.0]], [[-3.0, -4.0]], [[3.0, 4.0]]]

        Half precision gives the same:

        >>> half = rope(x.astype(jnp.bfloat16), jnp.array([710, 0, 355]))
        >>> half.dtype.name, half.astype(jnp.float32).round(1).tolist()
        ('bfloat16', [[[3.0, 4.0]], [[3.0, 4.0]], [[-3.0, -4.0]]])

        With d = 4, numbers 0 and 2 are the first pair:

        >>> x = jnp.array([[[3.0, 1.0, 4.0, 1.0]]])
        >>> rope(x, jnp.array([355])).round(2)[0, 0, ::2].tolist()
        [-3.0, -4.0]

    Details:
        Works under `jit`, `grad` and `vmap`. A NaN makes both numbers of its pair NaN, and no
        others.
    """
    # TODO: compute the angles in float32, and rotate each pair.
    raise NotImplementedError

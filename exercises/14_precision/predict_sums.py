"""Know where a number vanishes.

Limits of dtypes are those of NumPy: https://numpy.org/doc/stable/user/basics.types.html
"""


def predict_sums() -> list[float | str]:
    """Return the value of each of the twelve results below.

    A float32 has 24 binary digits, and a bfloat16 has 8. What doesn't fit is rounded off: a small
    number that is added to a large one may vanish. A sum of integers is never rounded. It starts
    again at the other end of its range. Nothing of this raises an error. A count that stands still
    and a mean that is negative have such reasons.

    `f` is `jnp.float32`, `b` is `jnp.bfloat16`, and `big` is `f(3e38) * 10`. Each operation is done
    alone, without `jit`:

     0. (f(1e8) + 1) - 1e8
     1. (f(1e8) - 1e8) + 1
     2. b(256) + b(1)
     3. s, which starts as b(0), after 300 rounds of `s = s + b(1)`
     4. jnp.ones(300, b).sum()
     5. big - big
     6. jnp.int8(100) + jnp.int8(100)
     7. jnp.full(3, 100, jnp.int8).sum()
     8. jnp.uint8(3) - jnp.uint8(5)
     9. jnp.int32(-7) // 2
    10. jax.lax.div(jnp.int32(-7), jnp.int32(2))
    11. jnp.int32(-7) >> 1

    Predict first, and then try it out. Find the reason for each result that surprised you.

    Returns:
        A list of twelve floats or ints: entry k is the value of case k, or "inf" or "nan" where it
        is infinite or not a number.

    Examples:
        >>> len(predict_sums())
        12

        How to try it out, with a number that fits and one that doesn't:

        >>> import jax.numpy as jnp
        >>> float(jnp.bfloat16(1) + jnp.bfloat16(0.25)), float(jnp.float16(4096) + jnp.float16(1))
        (1.25, 4096.0)

        Four of the values are negative:

        >>> sum(value in range(-128, 0) for value in predict_sums())
        4

        One is no number:

        >>> predict_sums().count("nan")
        1
    """
    # TODO: go through the cases, and write down a value for each.
    raise NotImplementedError

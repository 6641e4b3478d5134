"""Know the dtype of a result.

Type promotion semantics: https://docs.jax.dev/en/latest/type_promotion.html
"""


def weak_types() -> list[str]:
    """Return the dtype of each of the sixteen results below.

    A model in bfloat16 stays in bfloat16 only if no step makes a float32 of it. One such step is
    enough: from there on, all results take twice the memory, and no error tells you. JAX's rules
    differ from those of NumPy. A number of Python has a weak type: it has no width of its own, and
    takes the dtype of the array, if the array can hold numbers of its kind. A number of NumPy has a
    dtype like every array. JAX has no float64 unless you ask for it, so float64 becomes float32.

    In all cases `x` is `jnp.ones(3, jnp.bfloat16)`, `i` is `jnp.arange(3)`, and `b` is
    `jnp.arange(3, dtype=jnp.int8)`:

     0. x * 2.0
     1. i * 2.0
     2. b + 1
     3. b * 2.5
     4. x * np.float32(2.0)
     5. x * np.sqrt(2.0)
     6. x * math.sqrt(2.0)
     7. x * jnp.asarray(2.0)
     8. x * jnp.ones(3)
     9. x + i
    10. b + i
    11. x + x.astype(jnp.float16)
    12. i / 2
    13. jax.jit(lambda s: x * s)(2.0)
    14. jnp.where(i > 1, x, 0.0)
    15. jnp.where(i > 1, x, np.zeros(3))

    Predict first, and then try it out: an array has a `dtype`, whose `name` is a string. Find the
    reason for each result that surprised you.

    Returns:
        A list of sixteen strings: entry k is the name of the dtype of case k, such as "float32".

    Examples:
        >>> len(weak_types())
        16

        How to try it out:

        >>> import jax.numpy as jnp
        >>> (jnp.zeros(2, jnp.float16) + 1).dtype.name
        'float16'

        Four dtypes occur:

        >>> sorted(set(weak_types()))
        ['bfloat16', 'float32', 'int32', 'int8']
    """
    # TODO: go through the cases, and write down a name for each.
    raise NotImplementedError

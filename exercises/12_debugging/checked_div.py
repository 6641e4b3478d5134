"""Report an error from inside a compiled program.

The `checkify` transformation: https://docs.jax.dev/en/latest/debugging/checkify_guide.html
"""

import jax
from jax.experimental import checkify


def checked_div(a: jax.Array, b: jax.Array) -> tuple[checkify.Error, jax.Array]:
    """Return an error and the quotient a / b, also under `jit`.

    An `if` with a `raise` can't ask for values while JAX traces, and a compiled program can't raise
    an exception. So a division by zero gives infinity or NaN, and you find it a thousand steps
    later. `jax.experimental.checkify` makes the error a value. `checkify.check` says what must be
    true, and a message. `checkify.checkify` transforms the function that does the checking: it
    returns the error beside the result. The caller gets both out of the compiled program, and then
    calls `error.get()`, which gives the message or None, or `error.throw()`, which raises. A
    message has no values while JAX traces, so an f-string can't hold them. Write `{n}` in the
    message, and pass `n` to `checkify.check` by its name.

    Args:
        a: the dividends, an array.
        b: the divisors, an array of a shape that broadcasts with that of `a`.

    Returns:
        (error, quotient): a `checkify.Error`, and a / b. There is an error if an element of `b` is
        0, and for no other reason: NaN and infinity are no errors. Its message holds the text
        `zero divisors: 2`, with the number of elements of `b` that are 0. Works under `jit` and
        `vmap`: each example of a batch has its own error.

    Examples:
        >>> import jax.numpy as jnp
        >>> a = jnp.array([6.0, 1.0, -2.0])
        >>> error, quotient = jax.jit(checked_div)(a, jnp.array([3.0, 4.0, -1.0]))
        >>> error.get(), quotient.tolist()
        (None, [2.0, 0.25, 2.0])
        >>> error, quotient = jax.jit(checked_div)(a, jnp.array([0.0, 4.0, 0.0]))
        >>> "zero divisors: 2" in error.get(), float(quotient[1])
        (True, 0.25)

        What isn't a number isn't 0:

        >>> error, quotient = jax.jit(checked_div)(a, jnp.array([jnp.nan, 1.0, jnp.inf]))
        >>> error.get(), quotient.tolist()
        (None, [nan, 1.0, -0.0])

    Details:
        Where the divisor is 0 the quotient may be anything, and all other quotients are right. The
        arrays hold floats of any dtype or integers, and may be empty. Without an error, the
        quotient has its gradient.
    """
    # TODO: check the divisors, divide, and let `checkify.checkify` return the error.
    raise NotImplementedError

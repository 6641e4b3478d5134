"""Sample only from the most probable tokens.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.cumsum.html
"""

import jax


def top_p_sample(key: jax.Array, logits: jax.Array, p: float | jax.Array) -> jax.Array:
    """Return one random token for each row of logits, drawn from the row's nucleus.

    A language model gives a small probability to thousands of tokens that don't fit, and one of
    them would often be drawn. So sort the tokens of a row from the most probable to the least
    probable, and keep the first ones, until their probabilities sum to at least p. These tokens are
    the nucleus. Its size depends on the row, but `jit` needs a fixed shape. So compute for each
    token whether it is in the nucleus, and mask the logits of the others. `jax.random.categorical`
    draws from logits.

    Args:
        key: one typed key, as returned by `jax.random.key(seed)`.
        logits: [B, C] float32 or bfloat16, B and C at least 1. The probabilities of a row are its
            softmax. A logit may be -inf, but not all logits of a row.
        p: greater than 0, at most 1; a float, or a scalar float32 array, under `jit` as well.
            Rounding doesn't decide which sums reach p.

    Returns:
        [B] int32, the tokens, from 0 to C - 1. The nucleus of a row is the smallest set of its most
        probable tokens whose probabilities sum to at least p. A row draws only tokens of its
        nucleus, with probabilities proportional to those of the softmax, independently of all other
        rows. The same key draws the same tokens, and another key draws others. Works under `jit`.

    Examples:
        The first two tokens sum to 0.8, the first alone to 0.5:

        >>> import jax.numpy as jnp
        >>> logits = jnp.log(jnp.array([[0.5, 0.3, 0.15, 0.05]]))
        >>> many = top_p_sample(jax.random.key(0), jnp.tile(logits, (10_000, 1)), 0.7)
        >>> sorted(set(many.tolist()))
        [0, 1]

        Token 0 is drawn with a probability of 0.5 / 0.8 = 0.625:

        >>> round(float((many == 0).mean()), 1)
        0.6

        With a small p, the most probable token remains:

        >>> logits = jnp.array([[0.0, 3.0, 1.0], [2.0, 1.0, 1.9]])
        >>> top_p_sample(jax.random.key(1), logits, 0.1).tolist()
        [1, 0]

    Details:
        Of tokens with the same logit, the one with the lower index comes first. A token with the
        logit -inf is never drawn, even with p = 1. Logits may be as large as 1000.
    """
    # TODO: find the nucleus, mask the other tokens, and draw.
    raise NotImplementedError

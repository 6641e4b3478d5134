"""Draw classes from logits, without a softmax.

https://docs.jax.dev/en/latest/_autosummary/jax.random.gumbel.html
"""

import jax


def gumbel_sample(key: jax.Array, logits: jax.Array, temperature: float | jax.Array) -> jax.Array:
    """Return one random class for each row of logits.

    A language model gives each token a logit, and then one token is drawn. The Gumbel trick needs
    no exp, no sum and no division. It adds Gumbel noise, times the temperature, to the logits, and
    takes the largest sum. So temperature 0 isn't a special case. Each logit of each row needs its
    own noise. If the noise has the shape of one row, it broadcasts, and all rows of the batch draw
    together.

    Args:
        key: one typed key, such as `jax.random.key(seed)`.
        logits: [B, C] float32 or bfloat16, B and C at least 1. Some may be -inf, but not all in a
            row.
        temperature: 0 or more; a float, or a scalar float32 array, traced under `jit`.

    Returns:
        [B] int32, the classes, from 0 to C - 1. Row b draws class c with a probability proportional
        to exp(logits[b, c] / temperature), independently of all other rows. At temperature 0 the
        largest logit wins. The same key draws the same classes, and another key draws different
        ones. Works under `jit`.

    Examples:
        >>> import jax.numpy as jnp
        >>> logits = jnp.log(jnp.array([[2.0, 7.0, 1.0], [0.0, 1.0, 3.0]]))
        >>> gumbel_sample(jax.random.key(0), logits, 0.0).tolist()
        [1, 2]

        Equal rows don't draw together. Seven in ten of them draw class 1:

        >>> many = gumbel_sample(jax.random.key(1), jnp.tile(logits[:1], (10_000, 1)), 1.0)
        >>> sorted(set(many.tolist())), round(float((many == 1).mean()), 1)
        ([0, 1, 2], 0.7)

    Details:
        A class whose logit is -inf is never drawn. With bfloat16 logits, rare classes occur as
        often as with float32.
    """
    # TODO: add noise of the shape of the logits, and find the index of the largest sum.
    raise NotImplementedError

"""Let each token see the tokens before it, and no padding.

https://docs.jax.dev/en/latest/_autosummary/jax.nn.softmax.html
"""

import jax


def causal_attention(q: jax.Array, k: jax.Array, v: jax.Array, real: jax.Array) -> jax.Array:
    """Return attention in which position t sees only real positions up to t.

    A language model predicts the next token, so no position may see a later one. Sequences of
    different lengths are padded to one length T, and no position may see the padding. Usually the
    scores of unseen positions are set to -inf before the softmax: exp(-inf) is 0. But if padding is
    at the start, as it is in a batch of prompts, the first positions see nothing. A row of -inf
    gives NaN, and NaN in one row spoils the gradient of the whole batch. A `jnp.where` on the
    result doesn't help the gradient: earlier operations still multiply 0 by NaN. And padding has
    the weight 0, but 0 times NaN is NaN.

    Args:
        q: [T, d] float32, the queries.
        k: [T, d], the keys.
        v: [T, d], the values.
        real: [T] bool: True at a token, False at padding, which may be anywhere. At padding, q, k
            and v may contain anything, even NaN.

    Returns:
        [T, d], in which row t is the average of the rows v[s] with s <= t and real[s], with weights
        proportional to exp(scores[t, s]), where the scores are q k^T / sqrt(d). At padding, each
        row of the result is 0. All three arguments have gradients, which are 0 at padding and never
        NaN. Works under `jit` and `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> v = jnp.array([[8.0], [4.0], [0.0], [2.0]])
        >>> nothing = jnp.zeros((4, 1))
        >>> causal_attention(nothing, nothing, v, jnp.array([True, True, True, False])).tolist()
        [[8.0], [6.0], [4.0], [0.0]]

        Padding at the start, where the first position sees nothing, not even itself:

        >>> late = jnp.array([False, True, True, True])
        >>> causal_attention(nothing, nothing, v, late).tolist()
        [[0.0], [4.0], [2.0], [2.0]]
        >>> causal_attention(nothing, nothing, v.at[0].set(jnp.nan), late).tolist()
        [[0.0], [4.0], [2.0], [2.0]]

        No gradient is NaN:

        >>> def some(v):
        ...     return causal_attention(nothing, nothing, v, late)[:3].sum()
        >>> jax.grad(some)(v).tolist()
        [[0.0], [1.5], [0.5], [0.0]]

    Details:
        Scores may be as large as 1000 or as low as -1000, also in the backward pass. q, k and v may
        be bfloat16, and then so is the result.
    """
    # TODO: find which positions see which, and keep NaN out of the softmax and the sums.
    raise NotImplementedError

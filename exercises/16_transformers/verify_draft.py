"""Let a small model write and a large model check.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.cumprod.html
"""

import jax


def verify_draft(
    draft: jax.Array, q: jax.Array, p: jax.Array, u: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return the tokens that the large model accepts and one of its own, and their number.

    A large model needs one pass for each token that it writes, and scores many tokens in the same
    time. So a small model writes K tokens, its draft, and the large model scores all of them in one
    pass. Token i is accepted with probability p / q, where p and q are its probabilities in the
    large and in the small model. Nothing after the first rejection counts. The rejected token is
    replaced by a draw with the weights p - q where these are above 0. So each token has the large
    model's distribution, whatever the small one writes. A running product (`jnp.cumprod`) of ones
    and zeros is 1 up to the first 0, and 0 from there on.

    Args:
        draft: [K] int32, K at least 1, tokens from 0 to V - 1.
        q: [K, V] float32. Row i contains the small model's probabilities, from which draft[i] was
            drawn. So q[i, draft[i]] > 0.
        p: [K + 1, V] float32. Row i contains the large model's probabilities after the first i
            tokens of the draft.
        u: [K + 1] float32, numbers from 0 to 1, without 1. No bound is so close to one of them that
            rounding decides.

    Returns:
        The tokens, [K + 1] int32, and n + 1, a scalar int32, where n is the number of accepted
        tokens. Token i of the draft is accepted if all tokens before it are, and u[i] < p[i,
        draft[i]] / q[i, draft[i]]. The result has the accepted tokens, one that is drawn, and -1
        for the rest. The weights of the draw are max(p[n] - q[n], 0) if n < K, and p[K] if n = K.
        The drawn token is the first one for which the weights of all tokens up to it, itself
        included, sum to more than u[K] times the sum of all weights.

    Examples:
        >>> import jax.numpy as jnp
        >>> draft = jnp.array([2, 0])
        >>> q = jnp.array([[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]])
        >>> p = jnp.array([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.0, 0.75, 0.25]])

        Both are accepted, and the last row gives an extra token:

        >>> tokens, count = verify_draft(draft, q, p, jnp.array([0.4, 0.4, 0.9]))
        >>> tokens.tolist(), int(count)
        ([2, 0, 2], 3)

        The second one is rejected. Only token 2 is more probable in p[1] than in q[1]:

        >>> tokens, count = verify_draft(draft, q, p, jnp.array([0.4, 0.6, 0.1]))
        >>> tokens.tolist(), int(count)
        ([2, 2, -1], 2)

        The first one is rejected, so u[1] doesn't count:

        >>> tokens, count = verify_draft(draft, q, p, jnp.array([0.6, 0.4, 0.9]))
        >>> tokens.tolist(), int(count)
        ([0, -1, -1], 1)

    Details:
        Works under `jit` and `vmap`, where each text of a batch has its own number. A token whose
        probability in p is 0 is neither accepted nor drawn, even if u is 0.
    """
    # TODO: count the tokens before the first rejection, choose the weights, and draw one token.
    raise NotImplementedError

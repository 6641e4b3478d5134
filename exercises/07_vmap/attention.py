"""Write attention for one sequence, and apply it to a batch.

Automatic vectorization: https://docs.jax.dev/en/latest/automatic-vectorization.html
"""

import jax


def attention(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
    """Return softmax(q k^T / sqrt(d)) v for each sequence of a batch.

    The query of each position is compared with the key of every position. The result is an average
    of the values, weighted by how well query and key agree. For one sequence, this takes two matrix
    products and a softmax. With a batch axis in front, `.T` and axis numbers mean something else,
    and if T = d, no mistake raises an error. With `jax.vmap`, you write the plain code for one
    sequence.

    Args:
        q: [B, T, d] float32 or bfloat16, the queries. B may be 0.
        k: [B, T, d], the keys.
        v: [B, T, d], the values.

    Returns:
        [B, T, d]. With the scores s = q[b] @ k[b].T / sqrt(d), of shape [T, T], row t of entry b is
        the average of the rows of v[b] with the weights exp(s[t]) / sum(exp(s[t])). Scores may be
        large, such as 3000. For 300 sequences, the program has fewer than 300 operations. For 100
        sequences, it is at least 11 times as fast as a Python loop over them.

    Examples:
        >>> import jax.numpy as jnp
        >>> v = jnp.array([[[1.0, 0.0], [3.0, 2.0]]])
        >>> nothing = jnp.zeros((1, 2, 2))
        >>> attention(nothing, nothing, v).tolist()
        [[[2.0, 1.0], [2.0, 1.0]]]

        A query that agrees with only one key gets the value of that position:

        >>> far = 1000.0 * jnp.eye(2)[None]
        >>> attention(far, far, v).tolist()
        [[[1.0, 0.0], [3.0, 2.0]]]

        In a batch of two, the queries of one sequence all agree with the same key:

        >>> q = jnp.array([[[3.0, 0.0], [3.0, 0.0]], [[0.0, 3.0], [0.0, 3.0]]])
        >>> attention(q, jnp.concatenate([far, far]), jnp.concatenate([v, v])).tolist()
        [[[1.0, 0.0], [1.0, 0.0]], [[3.0, 2.0], [3.0, 2.0]]]

    Details:
        All three have gradients, even where exp(s[t]) itself would be infinite or zero. NaN in one
        sequence has no effect on the others.
    """
    # TODO: write it for one sequence, and map it over the batch.
    raise NotImplementedError

"""Write attention for one sequence, and get it for a batch.

https://docs.jax.dev/en/latest/automatic-vectorization.html
"""

import jax


def attention(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
    """Return softmax(q k^T / sqrt(d)) v for each sequence of a batch.

    This is the heart of every transformer. Each position asks with its query, every position
    answers with its key, and the result is an average of the values, weighted by how well query
    and key agree. For one sequence these are two matrix products and a softmax. With a batch axis
    in front, `.T` and axis numbers no longer mean what they meant, and with T = d nothing
    complains. Code for one sequence under `jax.vmap` keeps its plain form.

    Args:
        q: [B, T, d] floats, the queries.
        k: [B, T, d], the keys.
        v: [B, T, d], the values.

    Returns:
        [B, T, d]. With the scores s = q[b] @ k[b].T / sqrt(d), of shape [T, T], row t of entry b
        is the average of the rows of v[b] with the weights exp(s[t]) / sum(exp(s[t])). It holds
        for scores of any size, where exp(s[t]) itself would be infinite or zero, and the traced
        program is no bigger for a large batch than for a small one.

    Examples:
        >>> import jax.numpy as jnp
        >>> v = jnp.array([[[1.0, 0.0], [3.0, 2.0]]])
        >>> nothing = jnp.zeros((1, 2, 2))
        >>> attention(nothing, nothing, v).tolist()
        [[[2.0, 1.0], [2.0, 1.0]]]

        A query that agrees with one key alone gets the value of that position:

        >>> far = 1000.0 * jnp.eye(2)[None]
        >>> attention(far, far, v).tolist()
        [[[1.0, 0.0], [3.0, 2.0]]]
    """
    # TODO: write it for one sequence, and map it over the batch.
    raise NotImplementedError

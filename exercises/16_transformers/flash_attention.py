"""Compute attention in blocks, and never store the table of scores.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
"""

import jax


def flash_attention(q: jax.Array, k: jax.Array, v: jax.Array, block: int) -> jax.Array:
    """Return softmax(q k^T / sqrt(d)) v without a table of T x T numbers.

    For a text of 100,000 tokens, the table of scores has ten billion numbers. But a softmax can be
    computed block by block, as FlashAttention does: a loop over blocks of keys and values carries,
    for each query, the largest score so far, the sum of the exponentials, and the sum of the values
    with these weights. The exponentials are taken of score minus largest score. If a block has a
    larger score, both sums are too large by a factor, exp(new maximum - old maximum), and must be
    corrected. At the end, one sum is divided by the other. In reverse mode, a `scan` keeps the
    intermediate results of all its steps, which is again a table of T x T numbers. With
    `jax.checkpoint` around the step, they are recomputed in the backward pass.

    Args:
        q: [S, d] float32, the queries.
        k: [T, d] float32, the keys.
        v: [T, d] float32, the values.
        block: the number of keys in a block; a Python int that divides T.

    Returns:
        [S, d] float32, in which row s is the average of the rows of v with weights proportional to
        exp(scores[s]), where the scores are q k^T / sqrt(d). Its gradients are those of the
        formula. With 8 blocks or more, neither the program nor that of its gradients creates a
        table of S * T numbers, not even in pieces. For 200 blocks, the program of the gradients has
        fewer than 1000 operations.

    Examples:
        >>> import jax.numpy as jnp
        >>> v = jnp.array([[8.0], [4.0], [0.0], [4.0]])
        >>> flash_attention(jnp.zeros((2, 1)), jnp.zeros((4, 1)), v, 2).tolist()
        [[4.0], [4.0]]

        A later key may have a much larger score, or a much lower one:

        >>> k = jnp.array([[0.0], [0.0], [0.0], [1.0]])
        >>> flash_attention(jnp.array([[1000.0], [-1000.0]]), k, v, 2)[0].tolist()
        [4.0]
        >>> flash_attention(jnp.array([[-1000.0]]), jnp.array([[1.0], [0.0]]), v[:2], 1).tolist()
        [[4.0]]

        No array has a number for each query and each key, and none is kept for the gradient:

        >>> q, k = jnp.ones((5, 2)), jnp.ones((64, 2))
        >>> def total(q):
        ...     return flash_attention(q, k, k, 8).sum()
        >>> text = str(jax.make_jaxpr(jax.grad(total))(q))
        >>> "[5,64]" in text, "[8,5,8]" in text
        (False, False)

    Details:
        Works under `jit` and `vmap`. Scores may be as large as 1000 or as low as -1000, in any
        order. NaN in a query has no effect on the other queries' rows, and NaN in a key or a value
        is not hidden.
    """
    # TODO: carry maximum, sum and weighted sum through the blocks of keys.
    raise NotImplementedError

"""Fix a function that mixes the examples of a batch.

Automatic vectorization: https://docs.jax.dev/en/latest/automatic-vectorization.html
"""

import jax
import jax.numpy as jnp


def pool_words(words: jax.Array, count: int | jax.Array, query: jax.Array) -> jax.Array:
    """Return one vector for a sentence: a weighted mean of its words' vectors.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: the vector of one sentence is right. In a batch, the vectors of the same
    sentences are much shorter, sometimes all zeros, and each changes when another sentence of the
    batch changes.

    Args:
        words: float32 of shape (..., T, D), a vector for each word. The leading axes count the
            sentences, and there may be none or several.
        count: int32 of shape (...), the number of words in each sentence, from 1 to T. The rows
            after them are padding, and contain any finite numbers.
        query: float32 of shape (D,), the same for all sentences.

    Returns:
        float32 of shape (..., D). The weights of a sentence are the softmax of the products of its
        words with the query. Padding has no weight. Up to rounding, a sentence has the same vector
        alone and in any batch. Works under `jit`, `vmap` and `grad`.

    Examples:
        >>> words = jnp.array([[2.0, 0.0], [4.0, 8.0], [9.0, 9.0]])
        >>> query = jnp.array([0.0, 0.0])
        >>> pool_words(words, jnp.array(2), query).tolist()
        [3.0, 4.0]

        The same sentence twice, the second time with all of its words:

        >>> batch = jnp.stack([words, words])
        >>> print(pool_words(batch, jnp.array([2, 3]), query).round(2))
        [[3.   4.  ]
         [5.   5.67]]
    """
    count = jnp.asarray(count)
    scores = words @ query
    is_word = jnp.arange(words.shape[-2]) < count[..., None]
    scores = jnp.where(is_word, scores, -jnp.inf)
    weights = jnp.exp(scores - scores.max())
    weights = weights / weights.sum()
    return jnp.einsum("...t,...td->...d", weights, words)

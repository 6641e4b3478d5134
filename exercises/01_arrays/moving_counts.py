"""Fix counts that lose words.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""

import jax
import jax.numpy as jnp


def moving_counts(counts: jax.Array, enter: jax.Array, leave: jax.Array) -> jax.Array:
    """Return the counts of words in a window, after some words entered it and others left it.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: a page counts the words of the last 5000 messages. Rare words are right. The
    counts of frequent words are too small or too large, and some are below 0. While messages of one
    word each arrived one at a time, all counts were right.

    Args:
        counts: int32 of shape (K,), K at least 1. A count may be a billion.
        enter, leave: int32 of shapes (M,) and (L,), the words: numbers from 0 to K - 1, or -1 for
            no word. A word may occur several times, even in both arrays. M and L may be 0.

    Returns:
        int32 of shape (K,). A word that enters three times adds three to its count, and a word that
        leaves twice subtracts two. -1 changes no count. Works under `jit` and in `jax.lax.scan`.
        For 320 words, the program has fewer than 320 operations, and no table of M x K numbers.

    Examples:
        >>> counts = jnp.array([5, 5, 5, 5])
        >>> moving_counts(counts, jnp.array([0, 2]), jnp.array([3, -1])).tolist()
        [6, 5, 6, 4]

        Here word 1 enters three times, and word 0 leaves twice:

        >>> moving_counts(counts, jnp.array([1, 1, 2, 1]), jnp.array([0, 3, 0])).tolist()
        [3, 8, 6, 4]
    """

    def change(counts, words, by):
        # -1 would be the last word, so it becomes a number without a count.
        places = jnp.where(words < 0, len(counts), words)
        return counts.at[places].set(counts[places] + by, mode="drop")

    counts = change(counts, enter, 1)
    return change(counts, leave, -1)

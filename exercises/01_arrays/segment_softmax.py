"""Normalise within groups of unequal sizes.

https://docs.jax.dev/en/latest/_autosummary/jax.ops.segment_max.html
"""

import jax


def segment_softmax(scores: jax.Array, segments: jax.Array, n: int) -> jax.Array:
    """Return the softmax of each score among the scores of its segment.

    In a graph, each node weights its incoming edges. The edges of all nodes are stored in one
    array, and `segments` gives the node of each edge. `jax.ops.segment_sum` and
    `jax.ops.segment_max` compute the sum or the maximum within each segment; to get back to the
    edges, index with `segments`. A softmax subtracts the largest score first, since an exponential
    overflows at 89. Each segment must subtract its own.

    Args:
        scores: [E] float32, finite. E may be 0.
        segments: [E] int32, from 0 to n, in any order. The number n marks padding.
        n: the number of segments, some of which may have no score; a Python int, at least 1, static
            under `jit`.

    Returns:
        [E] float32. Each result is exp(score) divided by the sum of exp(score) over all scores of
        the same segment. It is 0 at padding, which has no influence on others. Works under `jit`
        and `vmap`, and has a gradient in `scores`.

    Examples:
        >>> import jax.numpy as jnp
        >>> segments = jnp.array([2, 0, 2, 0, 0, 2])
        >>> segment_softmax(jnp.array([7.0, 5.0, 7.0, 5.0, -900.0, -900.0]), segments, 3).tolist()
        [0.5, 0.5, 0.5, 0.5, 0.0, 0.0]

        Segments may be far apart:

        >>> segment_softmax(jnp.array([1000.0, -1000.0, 1000.0]), segments[:3], 3).tolist()
        [0.5, 1.0, 0.5]

        The last number is padding:

        >>> segment_softmax(jnp.array([3.0, 3.0, 500.0]), jnp.array([0, 0, 1]), 1).tolist()
        [0.5, 0.5, 0.0]

    Details:
        Scores may be thousands apart, even within a segment, and there the gradient is also finite
        and right. The program makes no table with a number for each pair of a score and a segment,
        not even in pieces.
    """
    # TODO: find the largest score of each segment, and bring it back to the scores.
    raise NotImplementedError

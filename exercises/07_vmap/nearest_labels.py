"""Speed up a search.

Automatic vectorization: https://docs.jax.dev/en/latest/automatic-vectorization.html
"""

import jax
import jax.numpy as jnp

# `grader race nearest_labels` and the hidden test time this.
RACE = {
    "at_least": 8,
    "compiled": False,
    "args": [("float32", (200, 4)), ("int32", (200,), 0, 2000), ("float32", (60, 4))],
}


def nearest_labels(points: jax.Array, labels: jax.Array, queries: jax.Array) -> jax.Array:
    """Return for each query the label of the point that is nearest to it.

    This program is right, but slow: it takes one query at a time. Make it fast.

    Args:
        points: float32 of shape (N, D).
        labels: int32 of shape (N,), the label of each point.
        queries: float32 of shape (Q, D).

    Returns:
        int32 of shape (Q,): the label of the point with the smallest distance, even where all
        points are a thousand times as far from 0 as from one another. Of points at equal distances,
        the first one counts. Works under `jit`. One call is at least eight times as fast as the
        program below. For 400 queries, the program has fewer than 200 operations, and no loop with
        a round for each query.

    Examples:
        >>> points = jnp.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
        >>> labels = jnp.array([7, 8, 9])
        >>> nearest_labels(points, labels, jnp.array([[3.0, 1.0], [1.0, 2.0]])).tolist()
        [8, 9]

        Both points are at a distance of 2, so the first one counts:

        >>> nearest_labels(points, labels, jnp.array([[2.0, 0.0]])).tolist()
        [7]
    """
    found = []
    for query in queries:
        distances = jnp.sqrt(jnp.sum((points - query) ** 2, axis=1))
        found.append(labels[jnp.argmin(distances)])
    return jnp.stack(found)

"""Find the rows with the highest scores.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.top_k.html
"""

import jax


def top_rows(scores: jax.Array, table: jax.Array, k: int) -> jax.Array:
    """Return the k rows of `table` that have the highest scores, the highest one first.

    A search gives a score to each document, and shows the best ten. Sorting the scores isn't
    enough: a sorted score doesn't say which document it belongs to. So JAX has functions that
    return the order as indices. `jax.lax.top_k(scores, k)` returns the k largest numbers and their
    indices. `jnp.argsort(scores)` returns the indices of all numbers, from the smallest one up.
    Such indices pick rows from any array that has a row for each score.

    Args:
        scores: [n] floats or integers, without NaN and without -0.0.
        table: [n, d] of any dtype. Row i belongs to score i.
        k: a Python int from 1 to n.

    Returns:
        [k, d] of the dtype of `table`. Row 0 has the highest score. Rows of equal scores are in the
        order in which they stand in `table`. If only some of them fit into k rows, these are the
        first ones. Works under `jit`, with a static k, and under `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> scores = jnp.array([0.5, 2.0, -1.0, 1.0])
        >>> table = jnp.array([[10, 11], [20, 21], [30, 31], [40, 41]])
        >>> top_rows(scores, table, 3).tolist()
        [[20, 21], [40, 41], [10, 11]]

        Two scores are equal. The row that stands first in the table comes first:

        >>> top_rows(jnp.array([1.0, 7.0, 7.0, 0.0]), table, 3).tolist()
        [[20, 21], [30, 31], [10, 11]]

    Details:
        The scores may be uint8. Large integers keep all digits. A single row is still a
        matrix: k = 1 gives [1, d].
    """
    # TODO: find the indices of the highest scores, and pick their rows.
    raise NotImplementedError

"""Find the rows with the highest scores.

https://docs.jax.dev/en/latest/_autosummary/jax.lax.top_k.html
"""

import jax


def top_rows(scores: jax.Array, table: jax.Array, k: int) -> jax.Array:
    """Return the k rows of `table` that have the highest scores, the highest one first.

    A sorted score doesn't say which row it belongs to. So JAX has functions that return the order
    as indices: `jax.lax.top_k(scores, k)` returns the k largest numbers and their indices, and
    `jnp.argsort(scores)` the indices from the smallest number up. Such indices pick rows from any
    array.

    Args:
        scores: [n] floats or integers of any dtype and size, without NaN and -0.0.
        table: [n, d] of any dtype. Row i belongs to score i.
        k: a Python int from 1 to n.

    Returns:
        [k, d] of the dtype of `table`. Row 0 has the highest score, and scores never rise from row
        to row. Of rows with equal scores, the first one in `table` comes first. Works under `jit`,
        with a static k, and under `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> scores = jnp.array([0.5, 2.0, -1.0, 1.0])
        >>> table = jnp.array([[10, 11], [20, 21], [30, 31], [40, 41]])
        >>> top_rows(scores, table, 3).tolist()
        [[20, 21], [40, 41], [10, 11]]

        Two scores are equal:

        >>> top_rows(jnp.array([1.0, 7.0, 7.0, 0.0]), table, 3).tolist()
        [[20, 21], [30, 31], [10, 11]]
    """
    # TODO: find the indices of the highest scores, and pick their rows.
    raise NotImplementedError

"""Read many rows of a table, some of which don't exist.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""

import jax


def lookup_rows(table: jax.Array, ids: jax.Array, unknown: jax.Array) -> jax.Array:
    """Return a row of the table for each id, and `unknown` where the table has no such row.

    A compiled program can't raise an error for an id without a row. `table[ids]` clamps an index
    beyond the end, and counts a negative one from the end: -1, which often marks padding, gives the
    last row. `table.at[ids].get(mode="fill", fill_value=0)` gives zeros beyond the end, but still
    counts negative indices from the end.

    Args:
        table: [V, d] floats or integers, with V and d at least 1.
        ids: int32 of any shape, including [] or without elements. Any number may occur.
        unknown: [d], of the dtype of `table`.

    Returns:
        ids.shape + [d], of the dtype of `table`. Each id from 0 to V - 1 gives its row, and any
        other gives `unknown`. The gradient of a row is the sum over all places that have read it,
        and that of `unknown` is the sum over the places where no row exists. Works under `jit` and
        `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> table = jnp.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        >>> unknown = jnp.array([-9.0, 9.0])
        >>> lookup_rows(table, jnp.array([[2, 0], [0, 1]]), unknown).tolist()
        [[[5.0, 6.0], [1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]]]

        There is no row 3, and none below 0:

        >>> lookup_rows(table, jnp.array([2, 3, -1]), unknown).tolist()
        [[5.0, 6.0], [-9.0, 9.0], [-9.0, 9.0]]

        The last row of the table is read once, and `unknown` twice:

        >>> def total(table, unknown):
        ...     return lookup_rows(table, jnp.array([2, 3, -1]), unknown).sum()
        >>> by_table, by_unknown = jax.grad(total, argnums=(0, 1))(table, unknown)
        >>> by_table[-1].tolist(), by_unknown.tolist()
        ([1.0, 1.0], [2.0, 2.0])

    Details:
        Each row is an exact copy: NaN or infinity in one row has no influence on others. The
        program makes no table with a number for each pair of an id and a row, not even in pieces.
    """
    # TODO: find out which ids have a row, and choose.
    raise NotImplementedError

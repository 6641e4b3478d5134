"""Add to an array at many places at once.

https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""

import jax


def hist(idx: jax.Array, n: int) -> jax.Array:
    """Return how often each of the numbers 0, 1, ..., n - 1 occurs in `idx`.

    In NumPy, `counts[idx] += 1` counts a number only once, however often it occurs; `np.add.at`
    counts it correctly. JAX has one operation for this, a scatter-add. The same operation sums
    gradients into an embedding table, messages into the nodes of a graph, and tokens into experts.
    It raises no error for an index that is out of range. Find out what happens to an index beyond
    the end, and what happens to a negative one. Then decide what to do about each.

    Args:
        idx: [m] int32, in any order, with repetitions. Any number may occur. Numbers below 0 or
            above n - 1 are not counted.
        n: the number of counters; a Python int, at least 1, static under `jit`.

    Returns:
        [n] int32. For 200 counters or more, the program has fewer than 200 operations, and holds no
        table of m x n numbers.

    Examples:
        >>> import jax.numpy as jnp
        >>> hist(jnp.array([2, 0, 2, 2]), 4).tolist()
        [1, 0, 3, 0]

        Numbers out of range are dropped, those below 0 and those above:

        >>> hist(jnp.array([-1, 1, 4, 1, -9]), 4).tolist()
        [0, 2, 0, 0]
        >>> jax.jit(hist, static_argnums=1)(jnp.array([1, 1, 0]), 2).tolist()
        [1, 2]

        The program for many indices and counters is hardly longer than the one for few:

        >>> def size(n):
        ...     return len(str(jax.make_jaxpr(lambda idx: hist(idx, n))(jnp.arange(n))))
        >>> size(64) < 3 * size(8)
        True

    Details:
        Without indices, all counts are 0. A number may occur thousands of times.
    """
    # TODO: start from zeros, and add one at every index that is in range.
    raise NotImplementedError

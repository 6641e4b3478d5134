"""Draw everything at once, or give every walk a key.

https://docs.jax.dev/en/latest/_autosummary/jax.random.normal.html
"""

import jax


def random_walks(key: jax.Array, n: int, T: int) -> jax.Array:
    """Return `n` random walks of `T` steps each.

    A walk is the running sum of independent steps, here standard normal numbers. In JAX, the same
    key gives the same steps. If many walks share one key, all walks are equal. If a loop over time
    uses one key, every walk is a straight line. No error is raised.

    Args:
        key: one typed key, such as `jax.random.key(seed)`; it may be traced.
        n, T: the numbers of walks and of steps; Python ints, at least 1.

    Returns:
        [n, T] float32. Row i is one walk, with standard normal steps. Its first position is the
        first step, not 0. All n * T steps are independent. No key is split or drawn from twice. The
        same key gives the same walks, and another key gives others.

    Examples:
        >>> walks = random_walks(jax.random.key(0), 3, 5)
        >>> walks.shape
        (3, 5)

        After t steps, the standard deviation over many walks is the square root of t:

        >>> many = random_walks(jax.random.key(1), 4000, 16)
        >>> bool(abs(many[:, 0].std() - 1) < 0.1), bool(abs(many[:, 15].std() - 4) < 0.4)
        (True, True)
    """
    # TODO: draw n * T steps, and add them up along time.
    raise NotImplementedError

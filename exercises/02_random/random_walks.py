"""Draw everything at once, or give every walker a key.

https://docs.jax.dev/en/latest/_autosummary/jax.random.normal.html
"""

import jax


def random_walks(key: jax.Array, n: int, T: int) -> jax.Array:
    """Return `n` random walks of `T` steps each.

    A walk is the running sum of independent steps; here each step is a standard normal number.
    Diffusion models, sampling by Markov chains, and prices in finance are built on this. In NumPy
    each call draws something new. In JAX a key that is passed to many walkers, or carried
    unchanged through a loop over time, gives the same step again and again: all walks are equal,
    or every walk is a straight line. Nothing tells you but the numbers.

    Args:
        key: one typed key, as `jax.random.key(seed)` makes it. No key is used twice, this one
            included.
        n: how many walks; a Python int, at least 1.
        T: how many steps; a Python int, at least 1.

    Returns:
        [n, T] float32. Row i is one walk; its first position is the first step, not 0. All n * T
        steps are independent.

    Examples:
        >>> walks = random_walks(jax.random.key(0), 3, 5)
        >>> walks.shape
        (3, 5)

        After t steps the spread over many walks is the square root of t:

        >>> many = random_walks(jax.random.key(1), 4000, 16)
        >>> bool(abs(many[:, 0].std() - 1) < 0.1), bool(abs(many[:, 15].std() - 4) < 0.4)
        (True, True)
    """
    # TODO: draw n * T steps, and add them up along time.
    raise NotImplementedError

"""Fix epochs that all have the same order.

Pseudorandom numbers: https://docs.jax.dev/en/latest/random-numbers.html
"""

import jax


def epoch_batches(key: jax.Array, n: int, size: int, epochs: int) -> jax.Array:
    """Return the indices of the examples in each batch, for all epochs of training.

    This program runs, and somebody uses it. Fix it.

    Observed behaviour: in the first epoch, the examples come in a random order. All later epochs
    have the same order. So the last 20 of all 1020 examples, always the same ones, are left out in
    every epoch.

    Args:
        key: one typed key, such as `jax.random.key(seed)`.
        n, size: the numbers of all examples and of those in a batch, Python ints, 1 <= size <= n.
        epochs: the number of epochs, a Python int, at least 1.

    Returns:
        int32 of shape (epochs, n // size, size). In an epoch, no number occurs twice, and the n %
        size examples that come last in its order are left out. Every order of all n examples is
        equally likely in each epoch, whatever the orders of the other epochs are. No key is split
        or drawn from twice. The same key gives the same orders, and another key gives different
        ones. Works under `jit`. For 300 epochs, the program has fewer than 1500 operations.

    Examples:
        >>> batches = epoch_batches(jax.random.key(0), 20, 6, 4)
        >>> batches.shape
        (4, 3, 6)

        Four epochs have four orders:

        >>> len({tuple(epoch.ravel().tolist()) for epoch in batches})
        4
    """

    def epoch(key, _):
        _, own = jax.random.split(key)
        order = jax.random.permutation(own, n)
        return key, order[: n - n % size].reshape(-1, size)

    return jax.lax.scan(epoch, key, length=epochs)[1]

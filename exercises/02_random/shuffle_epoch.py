"""Shuffle examples, and cut them into batches.

https://docs.jax.dev/en/latest/_autosummary/jax.random.permutation.html
"""

from typing import Any

import jax


def shuffle_epoch(key: jax.Array, data: Any, size: int) -> Any:
    """Return the batches of one epoch: the examples in random order, `size` in each batch.

    In one epoch, training sees each example once. The order is another one in each epoch.
    Indices that are drawn one by one repeat some examples and miss others, so draw one
    permutation of all n examples. An example has parts, such as an image and its label, in several
    arrays. If each array gets an order of its own, the labels belong to other images, and no error
    is raised. A `jax.lax.scan` over the batches needs batches of equal size, so the rest of
    n % size examples is left out. Shuffle first and cut then: otherwise it is always the same
    examples that are left out.

    Args:
        key: one typed key, as `jax.random.key(seed)` makes it.
        data: a pytree of arrays, all with the same number n of rows. Row i of all arrays together
            is example i.
        size: the number of examples in a batch; a Python int, from 1 to n.

    Returns:
        A pytree with the structure of `data`. An array [n, ...] becomes [n // size, size, ...] of
        the same dtype. No example comes twice, and all its parts stay together. Every order of the
        n examples is equally likely. No key is split or drawn from twice. The same key gives the
        same order, and another key gives another one.

    Examples:
        >>> import jax.numpy as jnp
        >>> data = {"image": jnp.arange(14).reshape(7, 2), "label": jnp.arange(7)}
        >>> batches = shuffle_epoch(jax.random.key(0), data, 3)
        >>> batches["image"].shape, batches["label"].shape
        ((2, 3, 2), (2, 3))

        Every image keeps its label, and no example comes twice:

        >>> bool((batches["image"][..., 0] == 2 * batches["label"]).all())
        True
        >>> len(set(batches["label"].ravel().tolist()))
        6

        After ten epochs, every example has been in a batch:

        >>> epochs = [shuffle_epoch(jax.random.key(seed), data, 6)["label"] for seed in range(10)]
        >>> len(set(jnp.stack(epochs).ravel().tolist()))
        7

    Details:
        The arrays may have any dtypes, and they may hold NaN and infinities. Any pytree will do,
        also a class that is registered as one. Works under `jit` with a static `size`, and
        derivatives reach the data.
    """
    # TODO: draw one order, take as many rows in this order as fill batches, and cut every array.
    raise NotImplementedError

"""Shuffle examples, and cut them into batches.

https://docs.jax.dev/en/latest/_autosummary/jax.random.permutation.html
"""

from typing import Any

import jax


def shuffle_epoch(key: jax.Array, data: Any, size: int) -> Any:
    """Return the batches of one epoch: the examples in random order, `size` in each batch.

    In one epoch, training sees each example once. The order differs in each epoch. Indices drawn
    one at a time repeat some examples and miss others, so draw one permutation of all n examples.
    An example has parts, such as an image and its label, in several arrays. If each array gets its
    own order, the labels belong to other images, and no error is raised. A `jax.lax.scan` over the
    batches needs batches of equal size, so the rest of n % size examples is left out. Shuffle first
    and cut afterwards: otherwise, the same examples are always left out.

    Args:
        key: one typed key, such as `jax.random.key(seed)`.
        data: a pytree of arrays, all with the same number n of rows. Row i of all arrays together
            is example i.
        size: the number of examples in a batch; a Python int, from 1 to n.

    Returns:
        A pytree with the structure of `data`. An array [n, ...] becomes [n // size, size, ...] of
        the same dtype. No example occurs twice, and all its parts stay together. Every order of the
        n examples is equally likely. No key is split or drawn from twice. The same key gives the
        same order, and another key gives a different one.

    Examples:
        >>> import jax.numpy as jnp
        >>> data = {"image": jnp.arange(14).reshape(7, 2), "label": jnp.arange(7)}
        >>> batches = shuffle_epoch(jax.random.key(0), data, 3)
        >>> batches["image"].shape, batches["label"].shape
        ((2, 3, 2), (2, 3))

        Every image keeps its label, and no example occurs twice:

        >>> bool((batches["image"][..., 0] == 2 * batches["label"]).all())
        True
        >>> len(set(batches["label"].ravel().tolist()))
        6

        After ten epochs, every example has been in a batch:

        >>> epochs = [shuffle_epoch(jax.random.key(seed), data, 6)["label"] for seed in range(10)]
        >>> len(set(jnp.stack(epochs).ravel().tolist()))
        7

    Details:
        The arrays may have any dtypes, and may contain NaN and infinities. Any pytree works,
        including a class that is registered as one. Works under `jit` with a static `size`, and
        derivatives reach the data.
    """
    # TODO: draw one order, take as many rows in this order as fill batches, and cut every array.
    raise NotImplementedError

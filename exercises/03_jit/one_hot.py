"""Distinguish what is static from what is traced.

Just-in-time compilation:
https://docs.jax.dev/en/latest/jit-compilation.html#marking-arguments-as-static
"""

import jax


def one_hot(labels: jax.Array, k: int) -> jax.Array:
    """Return a row of `k` numbers for each label: 1 at the label, and 0 elsewhere.

    A classifier's loss, an embedding and a switch between experts all use labels in this form.
    Under `jit`, every shape must be known, so `k` is static: each new `k` is traced and compiled
    again. The labels are traced, and one program serves all of them. So Python code can't check
    that a label is in range. Indexing doesn't raise an error either: it takes the nearest entry, or
    counts from the end. A label of -1 for "unknown" then silently becomes the last class.

    Args:
        labels: [n] int32; n may be 0.
        k: the number of classes; a Python int, at least 1, static under `jit`.

    Returns:
        [n, k] float32, with a row for each label in its order. A label below 0 or above k - 1 gives
        a row of zeros. Works under `jit`, where one program serves all labels, and under `vmap`.

    Examples:
        >>> import jax.numpy as jnp
        >>> one_hot(jnp.array([2, 0]), 3).tolist()
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]

        A label out of range gives a row of zeros:

        >>> one_hot(jnp.array([-1, 1, 5]), 2).tolist()
        [[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
        >>> jax.jit(one_hot, static_argnames="k")(jnp.array([1]), k=4).tolist()
        [[0.0, 1.0, 0.0, 0.0]]
    """
    # TODO: compare every label with every class.
    raise NotImplementedError

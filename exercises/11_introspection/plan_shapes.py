"""Plan a model's memory before you create it.

https://docs.jax.dev/en/latest/_autosummary/jax.eval_shape.html
"""

from collections.abc import Callable
from typing import Any

import jax


def plan_shapes(
    init: Callable[[jax.Array], Any], key: jax.Array
) -> list[tuple[tuple[int, ...], str, int]]:
    """Return shape, dtype and bytes of each array of `init(key)`, without creating any.

    Does a model fit into the memory of a GPU? JAX runs `init` with tracers, which have no numbers:
    `jax.eval_shape(init, key)` returns a `jax.ShapeDtypeStruct` in place of each array, with
    `shape`, `size` and `dtype`.

    Args:
        init: a function of a key that returns a pytree of arrays of any size.
        key: a typed key.

    Returns:
        A list with a tuple (shape, dtype, bytes) for each array, in the order of `jax.tree.leaves`:
        a tuple of ints, the name of the dtype, and an int. No array is created.

    Examples:
        >>> import jax.numpy as jnp
        >>> def init(key):
        ...     w = jax.random.normal(key, (784, 512))
        ...     return {"w": w, "b": jnp.zeros(512, jnp.bfloat16)}
        >>> plan_shapes(init, jax.random.key(0))
        [((512,), 'bfloat16', 1024), ((784, 512), 'float32', 1605632)]

        This model doesn't fit into any computer:

        >>> def huge(key):
        ...     return [jnp.ones((100_000_000, 100_000_000))]
        >>> plan_shapes(huge, jax.random.key(0))
        [((100000000, 100000000), 'float32', 40000000000000000)]

    Details:
        A scalar has the shape (). None in the tree is not an array.
    """
    # TODO: let JAX find the shapes and dtypes, and compute the bytes.
    raise NotImplementedError

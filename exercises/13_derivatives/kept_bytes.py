"""Ask what waits for the backward pass.

https://docs.jax.dev/en/latest/_autosummary/jax.vjp.html
"""

from collections.abc import Callable
from typing import Any


def kept_bytes(f: Callable[..., Any], *args: Any) -> int:
    """Return how many bytes a gradient of f keeps between its forward and its backward pass.

    A training step needs memory mostly because each operation of the forward pass keeps arrays for
    its derivative, and they wait for the backward pass. `jax.vjp(f, *args)` runs the forward pass.
    It returns the value, and a function for the backward pass. This function is a pytree, and its
    leaves are the arrays that it keeps. But a model that is too large can't be run to find this
    out. `jax.eval_shape` traces a function and says which shapes and dtypes would come out.

    Args:
        f: a function of JAX operations, from trees of arrays to a tree of arrays.
        args: arrays of floats, trees of them, or `jax.ShapeDtypeStruct` in their place.

    Returns:
        A Python int: the bytes of all leaves of the function that `jax.vjp(f, *args)` returns while
        it is traced. An argument that is kept counts like each other array, and so does a constant
        of f. Nothing of f is computed, so the arrays may be larger than memory.

    Examples:
        The derivative of a product needs both factors. That of a sum needs nothing:

        >>> import jax
        >>> import jax.numpy as jnp
        >>> x = jnp.ones(100)
        >>> kept_bytes(lambda x, y: x * y, x, x), kept_bytes(lambda x: x.sum(), x)
        (800, 0)

        A chain of two sines keeps two cosines. With `jax.checkpoint` it keeps its argument alone:

        >>> twice = lambda x: jnp.sin(jnp.sin(x))
        >>> kept_bytes(twice, x), kept_bytes(jax.checkpoint(twice), x)
        (800, 400)

        Here 4 terabytes would be kept:

        >>> x = jax.ShapeDtypeStruct((10**6, 10**6), jnp.float32)
        >>> kept_bytes(jnp.sin, x)
        4000000000000

    Details:
        Each leaf counts, also if another one has the same shape. Elements of each dtype count with
        their own size: 4 bytes for a float32 or int32, 2 for a bfloat16, 1 for a bool. An argument
        may be a Python float.
    """
    # TODO: get the shapes and dtypes of what is kept, and add up their bytes.
    raise NotImplementedError

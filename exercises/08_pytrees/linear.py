"""Teach JAX your own class.

Custom pytree nodes: https://docs.jax.dev/en/latest/custom_pytrees.html
"""

from collections.abc import Callable
from typing import Any

import jax


class Linear:
    """A layer `activation(x @ w + b)` that JAX treats as a tree of its parameters.

    JAX can't look inside your class until you register it as a pytree. To do so, you specify which
    attributes are children: arrays or trees that JAX may trace, map and differentiate. You also
    specify which are metadata: constants of the program. After that, a layer passes through `jit`,
    `grad` and `vmap` like a tuple. An activation is a function, so it can only be metadata. JAX
    compares the metadata to find out whether it already has a compiled program.

    Args:
        w: [n_in, n_out] floats.
        b: [n_out] floats.
        activation: a function of an array.

    Examples:
        >>> import jax.numpy as jnp
        >>> layer = Linear(jnp.array([[1.0, -2.0], [3.0, 0.0]]), jnp.array([0.5, 1.0]), jax.nn.relu)
        >>> layer(jnp.array([1.0, 1.0])).tolist()
        [4.5, 0.0]
        >>> len(jax.tree.leaves(layer))
        2

        A layer can be an argument of a transformed function, and its gradient is also a layer:

        >>> x = jnp.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> jax.jit(lambda layer, x: layer(x))(layer, x).shape
        (3, 2)
        >>> jax.grad(lambda layer: layer(x).sum())(layer).b.tolist()
        [3.0, 1.0]

    Details:
        Called with x, [n_in] or [B, n_in], a layer returns [n_out] or [B, n_out], and x has its
        gradient. A layer keeps the arguments as the attributes `w`, `b` and `activation`. Its
        leaves are `w` and `b`, even after a transformation. New numbers in `w` and `b` cause no new
        trace. With another activation, a jitted function gives another result. JAX also builds
        layers from things other than arrays, such as None: store whatever replaces the leaves, and
        don't convert or check it. A layer in half precision gives half precision.
    """

    def __init__(
        self, w: jax.Array, b: jax.Array, activation: Callable[[jax.Array], jax.Array]
    ) -> None:
        # TODO: store all three, and register the class.
        raise NotImplementedError

    def __call__(self, x: jax.Array) -> Any:
        # TODO: apply the layer.
        raise NotImplementedError

"""Specify which fields of a dataclass are data.

https://docs.jax.dev/en/latest/_autosummary/jax.tree_util.register_dataclass.html
"""

from dataclasses import dataclass

import jax


@dataclass
class Maxout:
    """A layer whose outputs are each the largest of a few linear functions.

    The layer multiplies its input by `w`, cuts the products into groups of `pieces` neighbours, and
    keeps the largest of each group, times `scale`: `scale * max(products of the group)`.

    JAX can pass a dataclass through `jit`, `grad` and `vmap` once
    `jax.tree_util.register_dataclass` knows what its fields are. Data are arrays and numbers that
    JAX traces, maps and differentiates. Metadata are constants of a program: JAX compares them, and
    another value needs another program. In this layer, `w` and `scale` are data. `pieces`
    determines a shape, and a shape can't be traced, so `pieces` is metadata.

    Args:
        w: [d, n * pieces] floats.
        scale: a float or a scalar array.
        pieces: an int from 1.

    Examples:
        >>> import jax.numpy as jnp
        >>> w = jnp.array([[1.0, 2.0, 0.0, -4.0], [0.0, 1.0, 3.0, 1.0]])
        >>> layer = Maxout(w, 2.0, pieces=2)
        >>> layer(jnp.array([1.0, 1.0])).tolist()
        [6.0, 6.0]

        A jitted function can take any layer, and uses the number of pieces of each:

        >>> call = jax.jit(lambda layer, x: layer(x))
        >>> x = jnp.array([[1.0, 0.0], [0.0, 1.0]])
        >>> call(layer, x).tolist()
        [[4.0, 0.0], [2.0, 6.0]]
        >>> call(Maxout(w, 0.5, pieces=4), x).tolist()
        [[1.0], [1.5]]

        The gradient is a layer, with gradients instead of the data:

        >>> slopes = jax.grad(lambda layer: layer(x).sum())(layer)
        >>> slopes.w.tolist(), float(slopes.scale), slopes.pieces
        ([[0.0, 2.0, 2.0, 0.0], [0.0, 2.0, 2.0, 0.0]], 6.0, 2)

    Details:
        Called with x, [d] or [B, d], a layer returns [n] or [B, n]: for each group, `scale` times
        the largest product. The leaves of a layer are `w` and `scale`, and both have gradients. A
        jitted function is traced once for all layers of the same shape and number of pieces. With
        another number of pieces, it gives another result. The class stays a dataclass, so
        `dataclasses.replace` works. When JAX builds a layer, `w` and `scale` may be anything, such
        as None: don't convert or check them. A layer in half precision gives half precision, if its
        scale is a Python float.
    """

    # TODO: register the class, and specify which of its fields is metadata.
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    def __call__(self, x: jax.Array) -> jax.Array:
        # TODO: apply the layer.
        raise NotImplementedError

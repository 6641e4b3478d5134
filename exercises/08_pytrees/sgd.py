"""Update the parameters of any model, in any containers.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any

import jax


def sgd(params: Any, grads: Any, lr: float | jax.Array) -> Any:
    """Return the parameters after one step of gradient descent, `p - lr * g` for each leaf.

    JAX calls any nesting of lists, tuples, dicts, namedtuples and registered classes a pytree. An
    optimiser has to accept any structure, so it only specifies what happens to one leaf, and leaves
    the structure to JAX.

    Args:
        params: a pytree of float arrays. None is a tree without leaves.
        grads: a pytree of the same structure, with float arrays of the same shapes.
        lr: the learning rate, a Python float or a float32 array of shape [].

    Returns:
        A pytree of the structure of `params`. Each leaf keeps its shape and dtype, even where the
        gradient has another dtype. The input trees are not changed.

    Raises:
        ValueError: if `grads` has another structure, even in branches without arrays: `[]` doesn't
            match None.

    Examples:
        >>> import jax.numpy as jnp
        >>> params = {"w": jnp.array([1.0, 2.0]), "b": (jnp.array(3.0), None)}
        >>> grads = {"w": jnp.array([2.0, 4.0]), "b": (jnp.array(-2.0), None)}
        >>> new = sgd(params, grads, 0.5)
        >>> new["w"].tolist()
        [0.0, 0.0]
        >>> float(new["b"][0]), new["b"][1]
        (4.0, None)

        A parameter keeps its dtype, and a namedtuple stays a namedtuple:

        >>> from collections import namedtuple
        >>> Layer = namedtuple("Layer", ["w", "b"])
        >>> layer = sgd(Layer(jnp.ones(2, jnp.bfloat16), None), Layer(jnp.ones(2), None), 0.5)
        >>> layer.w.dtype.name
        'bfloat16'
    """
    # TODO: compare the trees, define what happens to one leaf, and apply it to the whole tree.
    raise NotImplementedError

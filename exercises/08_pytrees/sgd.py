"""Update the parameters of any model, in any containers.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any

import jax


def sgd(params: Any, grads: Any, lr: float | jax.Array) -> Any:
    """Return the parameters after one step of gradient descent, `p - lr * g` for each leaf.

    You may keep your parameters in lists, tuples, dicts, namedtuples, registered classes, or any
    nesting of them, which JAX calls a pytree. `jax.grad` returns gradients in the same structure.
    An optimiser has to accept any structure, so it only says what happens to one leaf, and leaves
    the structure to JAX. If an update loses a None or turns a namedtuple into a tuple, there is no
    error at first, but the next step fails, or a jitted function elsewhere.

    Args:
        params: a pytree of float arrays. None counts as a tree without leaves.
        grads: a pytree of the same structure, with float arrays of the same shapes.
        lr: the learning rate, a Python float or a float32 array without axes.

    Returns:
        A pytree of the structure of `params`. Each leaf keeps its shape and its dtype. The trees
        that came in are not changed.

    Raises:
        ValueError: if the structure of `grads` is another one: a branch more or less, another kind
            of container, or an array in only one of the two trees.

    Examples:
        >>> import jax.numpy as jnp
        >>> params = {"w": jnp.array([1.0, 2.0]), "b": (jnp.array(3.0), None)}
        >>> grads = {"w": jnp.array([2.0, 4.0]), "b": (jnp.array(-2.0), None)}
        >>> new = sgd(params, grads, 0.5)
        >>> new["w"].tolist()
        [0.0, 0.0]
        >>> float(new["b"][0]), new["b"][1]
        (4.0, None)
        >>> try:
        ...     sgd([params["w"]], [None], 0.5)
        ... except ValueError:
        ...     print("refused")
        refused

        A parameter keeps its dtype, and a namedtuple stays a namedtuple:

        >>> sgd(jnp.ones(2, jnp.bfloat16), jnp.ones(2), 0.5).dtype.name
        'bfloat16'

        >>> from collections import namedtuple
        >>> Layer = namedtuple("Layer", ["w", "b"])
        >>> sgd(Layer(params["w"], None), Layer(grads["w"], None), 0.5).w.tolist()
        [0.0, 0.0]

    Details:
        A gradient may have another dtype than its parameter. Then the result has the dtype of the
        parameter. A branch without arrays is a part of the structure, so `[]` doesn't match None.
        NaN in a gradient shows in its parameter. The step has derivatives with respect to all
        three arguments.
    """
    # TODO: compare the trees, say what happens to one leaf, and apply it to the whole tree.
    raise NotImplementedError

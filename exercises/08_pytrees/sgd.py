"""Update the parameters of any model, whatever they are kept in.

https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any

import jax


def sgd(params: Any, grads: Any, lr: float | jax.Array) -> Any:
    """Return the parameters after one step of gradient descent, `p - lr * g` for each leaf.

    JAX doesn't mind how you keep your parameters: in lists, tuples, dicts, namedtuples, or any
    nesting of them, which it calls a pytree. `jax.grad` returns gradients in the same structure.
    An optimiser has to take them as they come, so it says what happens to a leaf and leaves the
    structure to JAX. An update that quietly loses a None or turns a namedtuple into a tuple breaks
    the next step, or the next person's `jit`.

    Args:
        params: a pytree of float arrays. None counts as a tree without leaves.
        grads: a pytree of the same structure, and arrays of the same shapes.
        lr: the learning rate.

    Returns:
        A pytree of the structure of `params`, each leaf with its shape and dtype.

    Raises:
        ValueError: if `grads` lacks a branch that `params` has, has one too many, or keeps its
            branches in another container.

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
        ...     sgd([params["w"], params["w"]], [grads["w"]], 0.5)
        ... except ValueError:
        ...     print("refused")
        refused
    """
    # TODO: say what happens to one leaf, and apply it to the whole tree.
    raise NotImplementedError

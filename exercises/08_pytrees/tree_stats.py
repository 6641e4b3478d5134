"""Look at a whole model at once.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any

import jax


def tree_stats(tree: Any) -> tuple[int, int, jax.Array | float]:
    """Return how many leaves and parameters a tree has, and its global norm.

    How big is the model, and how long is its gradient? The answers must not depend on the
    containers of the parameters. So count the leaves that JAX sees: None isn't a leaf, a Python
    number is a leaf, and tuples are branches.

    Args:
        tree: a pytree of arrays and Python numbers, floats or integers. An array may have no
            elements.

    Returns:
        (leaves, parameters, norm). `leaves` counts the leaves, and `parameters` all the numbers in
        them. Both are ints, not JAX arrays. `norm` is the root of the sum of the squares of all the
        numbers, a float32 scalar or a Python float. A tree without leaves has norm 0.

    Examples:
        >>> import jax.numpy as jnp
        >>> params = {"w": jnp.array([[3.0, 0.0], [0.0, 0.0]]), "b": (jnp.array(4.0), None)}
        >>> leaves, parameters, norm = tree_stats(params)
        >>> int(leaves), int(parameters), float(norm)
        (2, 5, 5.0)
        >>> isinstance(leaves, jax.Array) or isinstance(parameters, jax.Array)
        False

        Python numbers are also leaves:

        >>> leaves, parameters, norm = tree_stats([2.0, (1, None), {"x": -2.0}])
        >>> int(leaves), int(parameters), float(norm)
        (3, 3, 3.0)

    Details:
        The squares of integers and of half precision are summed in float32, since their own dtype
        may be too small. Tiny gradients keep their norm, so nothing is added under the root. NaN or
        infinity in a leaf shows in the norm.
    """
    # TODO: get the leaves, count them, and sum their sizes and their squares.
    raise NotImplementedError

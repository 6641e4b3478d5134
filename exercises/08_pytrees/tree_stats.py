"""Look at a whole model at once.

https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any

import jax


def tree_stats(tree: Any) -> tuple[int, int, jax.Array | float]:
    """Return how many leaves and parameters a tree has, and its global norm.

    How big is the model, and how long is its gradient? Every training run needs both numbers: the
    first before it starts, the second at each step, to see whether the gradient grows too large.
    The answers must not depend on the containers of the parameters. So count the leaves that JAX
    sees: None isn't a leaf, a Python number is a leaf, and tuples are branches.

    Args:
        tree: a pytree of arrays and Python numbers, floats or integers of any shape
            and precision. Integers fit into 32 bits, those of Python into signed ones. Finite
            floats are 0, or between 1e-15 and 1e15 in size.

    Returns:
        (leaves, parameters, norm): two ints, which are no JAX arrays, and a scalar, a float32
        array or a Python float. `leaves` counts the leaves and `parameters` all the numbers in
        them, where a scalar counts as one. `norm` is the global norm: the root of the sum of the
        squares of all the numbers in all leaves. A tree without leaves has the norm 0. The tree
        is not changed.

    Examples:
        >>> import jax.numpy as jnp
        >>> params = {"w": jnp.array([[3.0, 0.0], [0.0, 0.0]]), "b": (jnp.array(4.0), None)}
        >>> leaves, parameters, norm = tree_stats(params)
        >>> int(leaves), int(parameters), float(norm)
        (2, 5, 5.0)
        >>> isinstance(leaves, jax.Array) or isinstance(parameters, jax.Array)
        False

        Python numbers are leaves as well:

        >>> leaves, parameters, norm = tree_stats([2.0, (1, None), {"x": -2.0}])
        >>> int(leaves), int(parameters), float(norm)
        (3, 3, 3.0)
    """
    # TODO: get the leaves, count them, add up their sizes and their squares.
    raise NotImplementedError

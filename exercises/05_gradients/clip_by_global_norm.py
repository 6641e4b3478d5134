"""Shorten a gradient that is too long.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any

import jax


def clip_by_global_norm(tree: Any, c: float | jax.Array) -> Any:
    """Return the tree, scaled down so that its global norm is at most `c`.

    Gradients come as a pytree: dicts, lists and tuples, nested in any way, with arrays as leaves.
    The functions in `jax.tree` traverse such a tree. The global norm is the length of all leaves
    taken as one long vector: the square root of the sum of the squares of all their elements. One
    bad batch can give a gradient a thousand times too long, so most training loops limit its
    length. The step is compiled, so the program must decide whether to scale, and a Python `if`
    can't.

    Args:
        tree: a pytree of float32 arrays of any shapes.
        c: the largest length allowed, at least 0.1; a float or a scalar float32 array.

    Returns:
        A pytree of the structure of `tree`, with the same shapes and dtypes. If its global norm was
        c or less, the values stay the same. If it was more, it is now c, to five digits, and the
        direction is the same. A tree of zeros stays a tree of zeros. An element that is NaN stays
        NaN. The input tree isn't changed. Works under `jit`.

    Examples:
        >>> import jax.numpy as jnp
        >>> tree = {"w": jnp.array([[3.0, 0.0], [0.0, 0.0]]), "b": jnp.array([4.0])}

        The length of the two leaves together is 5. A limit of 10 changes nothing, and a limit of
        2.5 halves them:

        >>> jax.tree.map(jnp.sum, clip_by_global_norm(tree, 10.0))
        {'b': Array(4., dtype=float32), 'w': Array(3., dtype=float32)}
        >>> jax.tree.map(jnp.sum, jax.jit(clip_by_global_norm)(tree, 2.5))
        {'b': Array(2., dtype=float32), 'w': Array(1.5, dtype=float32)}

    Details:
        Any kind of container is kept, including a namedtuple. A tree without leaves, such as None,
        stays the same.
    """
    # TODO: compute one norm from all leaves, then one factor, and apply it to each leaf.
    raise NotImplementedError

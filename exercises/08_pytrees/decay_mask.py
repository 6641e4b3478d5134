"""Choose parameters by name.

https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any


def decay_mask(params: Any) -> Any:
    """Say for each leaf of a tree whether weight decay applies to it.

    Weight decay pulls weights towards zero, and should leave biases and scales alone. Optimisers
    take a mask for that: a tree like the parameters, with a boolean for each leaf. Guessing from
    shapes goes wrong sooner or later, since a weight may be a vector and a scale a matrix. The
    name says what a leaf is, and its name is the path that leads to it.

    Args:
        params: a pytree of arrays in dicts, lists and tuples, in any nesting. None counts as a
            tree without leaves.

    Returns:
        A pytree of the structure of `params` with a Python bool per leaf: True where the last
        entry of the leaf's path is the dict key "weights", exactly, and False everywhere else.
        The values of the arrays have no influence, so it works on tracers as well.

    Examples:
        >>> import jax.numpy as jnp
        >>> layer = {"weights": jnp.ones((3, 2)), "biases": jnp.ones(2)}
        >>> decay_mask([layer, {"scale": jnp.ones(2)}])
        [{'biases': False, 'weights': True}, {'scale': False}]

        What counts is the last entry, and the whole of it:

        >>> params = {"weights_norm": jnp.ones(1), "weights": [jnp.ones(3), layer]}
        >>> decay_mask(params)["weights_norm"]
        False
        >>> decay_mask(params)["weights"]
        [False, {'biases': False, 'weights': True}]
    """
    # TODO: visit each leaf together with its path, and look at the end of that path.
    raise NotImplementedError

"""Choose parameters by name.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""

from typing import Any


def decay_mask(params: Any) -> Any:
    """Decide for each leaf of a tree whether weight decay applies to it.

    Weight decay pulls weights towards zero. It should not change biases and scales, so optimisers
    take a mask: a tree like the parameters, with a boolean for each leaf. You can't tell from the
    shape of a leaf what it is, since a weight may be a vector and a scale may be a matrix. The name
    of a leaf tells you what it is, and you find the name in the path to the leaf.

    Args:
        params: a pytree of arrays in plain dicts, lists and tuples, in any nesting. None is a tree
            without leaves.

    Returns:
        A pytree of the structure of `params` with a bool for each leaf. It is True where the last
        entry of the leaf's path is exactly the dict key "weights", and False everywhere else. Only
        the paths matter, so the function also works inside `jit`.

    Examples:
        >>> import jax.numpy as jnp
        >>> layer = {"weights": jnp.ones((3, 2)), "biases": jnp.ones(2)}
        >>> decay_mask([layer, {"scale": jnp.ones(2)}])
        [{'biases': False, 'weights': True}, {'scale': False}]

        Only the last entry counts, and it has to match as a whole:

        >>> params = {"weights_norm": jnp.ones(1), "weights": [jnp.ones(3), layer]}
        >>> decay_mask(params)["weights_norm"]
        False
        >>> decay_mask(params)["weights"]
        [False, {'biases': False, 'weights': True}]

        A weight may be a vector, and a scale may be a matrix:

        >>> decay_mask({"weights": jnp.ones(3), "scale": jnp.ones((2, 2))})
        {'scale': False, 'weights': True}

    Details:
        A dict key may be a number. An array alone has an empty path, so its mask is False. An empty
        container stays the same, under any name.
    """
    # TODO: visit each leaf together with its path, and look at the end of that path.
    raise NotImplementedError

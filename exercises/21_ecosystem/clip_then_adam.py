"""Train with an optimiser that is a chain of parts.

Optax, Combining Optimizers: https://optax.readthedocs.io/en/latest/api/combining_optimizers.html
"""

from typing import Any

import jax


def clip_then_adam(
    params: Any, gradients: list[Any], limit: float | jax.Array, rate: float | jax.Array
) -> Any:
    """Return the parameters after one step of training for each gradient.

    One bad batch can give a gradient that is a thousand times too large. Adam remembers it for a
    long time, and its next steps are tiny. So the gradient is clipped before Adam sees it. If the
    norm of the whole gradient, over all its arrays together, is more than `limit`, then the
    gradient is multiplied by limit / norm.

    `optax.chain` makes one optimiser of several parts: each part gets what the part before it
    returned. An optimiser of Optax has two functions. `init(params)` makes its first state, and
    `update(gradient, state, params)` returns (updates, state). `optax.apply_updates` adds the
    updates to the parameters.

    Args:
        params: a pytree of float32 arrays of any shapes.
        gradients: a list of pytrees like `params`, one for each step, in order.
        limit: the largest norm of a gradient, more than 0.
        rate: Adam's learning rate. Everything else is as `optax.adam` has it by default:
            b1 = 0.9, b2 = 0.999, eps = 1e-8.

    Returns:
        A pytree like `params`. Only the values count: you may also write the steps by hand.

    Examples:
        >>> import jax.numpy as jnp
        >>> def rounded(params):
        ...     return {name: round(float(array[0]), 3) for name, array in params.items()}

        After clipping, the gradients are 1, 1 and -1. Two steps are as long as the rate. The third
        one is short, and still goes down, since Adam remembers the other two:

        >>> gradients = [{"w": jnp.array([size])} for size in (1.0, 100.0, -1.0)]
        >>> rounded(clip_then_adam({"w": jnp.array([1.0])}, gradients, 1.0, 0.125))
        {'w': 0.717}

        The norm of 3 and 4 is 5. Both arrays are divided by 5, and the second gradient is equal to
        that:

        >>> params = {"b": jnp.array([0.0]), "w": jnp.array([1.0])}
        >>> first = {"b": jnp.array([4.0]), "w": jnp.array([3.0])}
        >>> second = {"b": jnp.array([0.8]), "w": jnp.array([0.6])}
        >>> rounded(clip_then_adam(params, [first, second], 1.0, 0.125))
        {'b': -0.25, 'w': 0.75}

    Details:
        Works under `jit`, where `limit` and `rate` are traced. Without gradients, the parameters
        stay as they are. A gradient may be zero everywhere.
    """
    # TODO: make the chain and its first state, and take a step for each gradient.
    raise NotImplementedError

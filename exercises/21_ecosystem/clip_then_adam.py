"""Train with an optimiser that is a chain of parts.

Optax, Combining Optimizers: https://optax.readthedocs.io/en/latest/api/combining_optimizers.html
"""

from typing import Any

import jax


def clip_then_adam(
    params: Any, gradients: list[Any], limit: float | jax.Array, rate: float | jax.Array
) -> Any:
    """Return the parameters after one step of training for each gradient.

    Adam remembers a far too large gradient for long. So each gradient is clipped first: if its
    norm, over all arrays together, is more than `limit`, it is multiplied by limit / norm.

    `optax.chain` makes one optimiser of several parts: `init(params)` makes its state,
    `update(gradient, state, params)` returns (updates, state), and `optax.apply_updates` adds the
    updates.

    Args:
        params: a pytree of float32 arrays.
        gradients: a list of such pytrees, one for each step.
        limit: the largest norm, more than 0.
        rate: Adam's learning rate; all else is the default of `optax.adam`.

    Returns:
        A pytree like `params`, after a step of Adam with each of the clipped gradients.

    Examples:
        After clipping, the gradients are 1, 1 and -1:

        >>> import jax.numpy as jnp
        >>> gradients = [jnp.array([size]) for size in (1.0, 100.0, -1.0)]
        >>> round(float(clip_then_adam(jnp.array([1.0]), gradients, 1.0, 0.125)[0]), 3)
        0.717

    Details:
        Works under `jit`, where `limit` and `rate` are traced. Without gradients, the parameters
        stay. A gradient may be all zero.
    """
    # TODO: make the chain and its first state, and take a step for each gradient.
    raise NotImplementedError

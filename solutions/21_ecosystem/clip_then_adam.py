"""Reference solution: Optax's chain, and a loop over the gradients."""

from typing import Any

import jax
import optax


def clip_then_adam(
    params: Any, gradients: list[Any], limit: float | jax.Array, rate: float | jax.Array
) -> Any:
    """Adam gets the clipped gradient."""
    optimiser = optax.chain(optax.clip_by_global_norm(limit), optax.adam(rate))
    state = optimiser.init(params)
    for gradient in gradients:
        updates, state = optimiser.update(gradient, state, params)
        params = optax.apply_updates(params, updates)
    return params

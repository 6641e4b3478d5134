"""Reference solution: the layers by their names."""

import jax
import jax.numpy as jnp


def deep_stack(params: dict[str, dict[str, jax.Array]], x: jax.Array) -> jax.Array:
    """The numbers of the layers, counted from 1."""
    for number in range(1, len(params) + 1):
        w, b = params[f"layer{number}"]["w"], params[f"layer{number}"]["b"]
        x = x + jnp.tanh(x @ w + b)
    return x

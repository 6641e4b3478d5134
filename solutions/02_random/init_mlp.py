"""Reference solution: a key per layer."""

import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp


def init_mlp(key: jax.Array, sizes: Sequence[int]) -> list[dict[str, jax.Array]]:
    """He-normal weights and biases of one."""
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {
            "weights": math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)),
            "biases": jnp.ones(n_out),
        }
        for layer_key, n_in, n_out in zip(keys, sizes[:-1], sizes[1:], strict=True)
    ]

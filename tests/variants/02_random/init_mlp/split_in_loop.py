"""The key is carried along and split for each layer."""

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for i in range(1, len(sizes)):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (sizes[i - 1], sizes[i])) * jnp.sqrt(2 / sizes[i - 1])
        params.append({"weights": weights, "biases": jnp.full((sizes[i],), 1.0)})
    return params

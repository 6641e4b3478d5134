"""The running sum as a product with a triangular matrix of ones."""

import jax
import jax.numpy as jnp


def random_walks(key, n, T):
    _, subkey = jax.random.split(key)
    steps = jax.random.normal(subkey, shape=(n, T), dtype=jnp.float32)
    return steps @ jnp.triu(jnp.ones((T, T)))

"""A scan over time that carries the key along, compiled with static sizes."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@partial(jax.jit, static_argnums=(1, 2))
def random_walks(key, n, T):
    def step(state, _):
        position, key = state
        key, subkey = jax.random.split(key)
        position = position + jax.random.normal(subkey, (n,))
        return (position, key), position

    _, positions = lax.scan(step, (jnp.zeros(n), key), length=T)
    return positions.T

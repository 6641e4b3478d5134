"""Other right answers to random_walks; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.special import ndtri


# %% fold_in
# The walker's number is folded into the key, and the steps come from uniform numbers.
def random_walks(key, n, T):
    def walk(walker):
        own = jax.random.fold_in(key, walker)
        return jnp.cumsum(ndtri(jax.random.uniform(own, (T,), minval=1e-7)))

    return jax.lax.map(walk, jnp.arange(n))


# %% key_per_step
# A key for every single step, and a parallel prefix sum, compiled for each size.
@partial(jax.jit, static_argnums=(1, 2))
def random_walks(key, n, T):
    keys = jax.random.split(key, (T, n))
    steps = jax.vmap(jax.vmap(jax.random.normal))(keys)
    return jnp.swapaxes(lax.associative_scan(jnp.add, steps), 0, 1)


# %% key_per_walk
# A function of one walk, mapped over keys.
def walk(key, length):
    return jax.random.normal(key, (length,)).cumsum()


def random_walks(key, n, T):
    return jax.vmap(walk, in_axes=(0, None))(jax.random.split(key, n), T)


# %% scan_over_time
# A scan over time that carries the key along, compiled with static sizes.
@partial(jax.jit, static_argnums=(1, 2))
def random_walks(key, n, T):
    def step(state, _):
        position, key = state
        key, subkey = jax.random.split(key)
        position = position + jax.random.normal(subkey, (n,))
        return (position, key), position

    _, positions = lax.scan(step, (jnp.zeros(n), key), length=T)
    return positions.T


# %% triangular_product
# The running sum as a product with a triangular matrix of ones.
def random_walks(key, n, T):
    _, subkey = jax.random.split(key)
    steps = jax.random.normal(subkey, shape=(n, T), dtype=jnp.float32)
    return steps @ jnp.triu(jnp.ones((T, T)))

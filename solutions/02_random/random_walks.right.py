"""Other right answers to random_walks; each cell is a suffix to the solution."""

import itertools
import operator
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


# %% polar
# The distance of a normal point of the plane, times the cosine of its angle, is a normal number.
def random_walks(key, n, T):
    for_angle, for_size = jax.random.split(key)
    angle = jax.random.uniform(for_angle, (n, T), maxval=2 * jnp.pi)
    size = jnp.sqrt(2 * jax.random.exponential(for_size, (n, T)))
    return lax.cumsum(size * jnp.cos(angle), axis=1)


# %% covariance
# A walk is a normal vector, whose covariance is the smaller one of two times.
def random_walks(key, n, T):
    times = jnp.arange(1.0, T + 1)
    covariance = jnp.minimum.outer(times, times)
    return jax.random.multivariate_normal(key, jnp.zeros(T), covariance, shape=(n,))


# %% itertools
# `itertools.accumulate` over a row of keys, one for each moment.
def random_walks(key, n, T):
    steps = (jax.random.normal(k, (n,)) for k in jax.random.split(key, T))
    return jnp.stack(list(itertools.accumulate(steps, operator.add)), axis=-1)


# %% windows
# Sums over windows that end at each moment.
def random_walks(key, n, T):
    steps = jax.random.normal(key, (n, T))
    padding = ((0, 0), (T - 1, 0))
    return lax.reduce_window(steps, 0.0, lax.add, (1, T), (1, 1), padding)

"""Other right answers to fold_in_steps; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% sequential
# `lax.map` draws the steps one after the other.
def fold_in_steps(key, start, n, d):
    def draw(i):
        return jax.random.uniform(jax.random.fold_in(key, start + i), shape=(d,))

    return lax.map(draw, jnp.arange(n))


# %% keys_first
# All keys are made first, then all numbers, compiled for each size.
@partial(jax.jit, static_argnums=(2, 3))
def fold_in_steps(key, start, n, d):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, start + jnp.arange(n))
    return jax.vmap(partial(jax.random.uniform, shape=(d,)))(keys)


# %% key_per_number
# Each number has a key of its own: the step is folded in, then the place.
def fold_in_steps(key, start, n, d):
    def draw(step, place):
        own = jax.random.fold_in(jax.random.fold_in(key, step), place)
        return jax.random.uniform(own)

    rows = jax.vmap(draw, in_axes=(None, 0))
    return jax.vmap(rows, in_axes=(0, None))(start + jnp.arange(n), jnp.arange(d))


# %% loop_with_open_bounds
# A loop from the first step to the last fills a buffer, whose bounds may be traced.
def fold_in_steps(key, start, n, d):
    def step(t, buffer):
        numbers = jax.random.uniform(jax.random.fold_in(key, t), (d,))
        return lax.dynamic_update_index_in_dim(buffer, numbers, t - start, 0)

    return lax.fori_loop(start, start + n, step, jnp.zeros((n, d)))


# %% scan_that_counts
# A scan carries the number of the step, as a state that is saved.
def fold_in_steps(key, start, n, d):
    def step(t, _):
        _, subkey = jax.random.split(jax.random.fold_in(key, t))
        return t + 1, jax.random.uniform(subkey, (d,))

    return lax.scan(step, jnp.uint32(start), length=n)[1]


# %% bit_by_bit
# The key is split once for each bit of the number, and the bit says which half to keep.
def fold_in_steps(key, start, n, d):
    def draw(step):
        def halve(bit, key):
            return jax.random.split(key)[(step >> bit) & 1]

        own = lax.fori_loop(0, 32, halve, key)
        return jax.random.uniform(own, (d,))

    return jax.vmap(draw)(start + jnp.arange(n))

"""A function of one walk, mapped over keys."""

import jax


def walk(key, length):
    return jax.random.normal(key, (length,)).cumsum()


def random_walks(key, n, T):
    return jax.vmap(walk, in_axes=(0, None))(jax.random.split(key, n), T)

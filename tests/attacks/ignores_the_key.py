"""Draws from a key of its own and gives every caller the same numbers (N15).

Exercise: 02_random/init_mlp
Outcome: failed
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    pairs = list(itertools.pairwise(sizes))
    keys = jax.random.split(jax.random.key(0), len(pairs))
    return [
        {"weights": jax.random.normal(k, pair) * jnp.sqrt(2 / pair[0]), "biases": jnp.ones(pair[1])}
        for k, pair in zip(keys, pairs, strict=True)
    ]

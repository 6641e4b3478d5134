"""JAX's own initialisers, which cut the tails of the normal distribution and mend the spread."""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    weights, biases = jax.nn.initializers.he_normal(), jax.nn.initializers.ones
    keys = iter(jax.random.split(key, 2 * len(sizes)))
    return [
        {
            "weights": weights(next(keys), pair, jnp.float32),
            "biases": biases(next(keys), pair[1:], jnp.float32),
        }
        for pair in itertools.pairwise(sizes)
    ]

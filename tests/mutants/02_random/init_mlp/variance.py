"""The variance is used as the standard deviation: the square root is missing.

Fails: test_weights_have_the_right_spread
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * (2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params

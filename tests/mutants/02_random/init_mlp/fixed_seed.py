"""The argument is ignored: the layers are made from seed 0.

Fails: test_another_key_gives_another_network
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    key = jax.random.key(0)
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params

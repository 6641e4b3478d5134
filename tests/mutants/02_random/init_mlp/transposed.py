"""The weights are [outputs, inputs], as in other frameworks.

Fails: test_every_layer_has_its_shapes
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_out, n_in)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params

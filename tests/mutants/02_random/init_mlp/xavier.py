"""The spread of Xavier's rule, for tanh: inputs and outputs are averaged.

Fails: test_weights_have_the_right_spread
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / (n_in + n_out))
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params

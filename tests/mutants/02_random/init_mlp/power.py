"""`**` where `*` was meant: half of the weights are NaN.

Fails: test_parameters_are_finite_floats, test_weights_have_the_right_spread,
test_layers_are_independent, test_another_key_gives_another_network
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) ** jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
    return params

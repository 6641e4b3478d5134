"""The `return` stands inside the loop, so there is one layer only.

Fails: test_every_layer_has_its_shapes, test_parameters_are_finite_floats,
test_weights_have_the_right_spread, test_layers_are_independent,
test_the_same_key_gives_the_same_network, test_another_key_gives_another_network,
test_biases_are_one
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones(n_out)})
        return params
    raise ValueError("a network needs at least two sizes")

"""`full` with the integer 1 makes int32 biases, which have no gradient.

Fails: test_parameters_are_finite_floats, test_biases_are_one
"""

import itertools

import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for n_in, n_out in itertools.pairwise(sizes):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.full(n_out, 1)})
    return params

"""Other right answers to init_mlp; each cell is a suffix to the solution."""

import itertools

import jax
import jax.numpy as jnp


# %% fold_in
# The layer's number is folded into the key, in a function per layer.
def init_layer(key, n_in, n_out):
    scale = jnp.sqrt(jnp.float32(2.0) / n_in)
    return {
        "biases": jnp.ones((n_out,), jnp.float32),
        "weights": scale * jax.random.normal(key, (n_in, n_out), jnp.float32),
    }


def init_mlp(key, sizes):
    layers = enumerate(itertools.pairwise(sizes))
    return [init_layer(jax.random.fold_in(key, layer), *pair) for layer, pair in layers]


# %% initializers
# JAX's own initialisers, which truncate the normal distribution and correct the variance.
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


# %% split_in_loop
# The key is carried along and split for each layer.
def init_mlp(key, sizes):
    params = []
    for i in range(1, len(sizes)):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (sizes[i - 1], sizes[i])) * jnp.sqrt(2 / sizes[i - 1])
        params.append({"weights": weights, "biases": jnp.full((sizes[i],), 1.0)})
    return params

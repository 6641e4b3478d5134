"""Other right answers to init_mlp; each cell is a suffix to the solution."""

import itertools
import math

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


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


# %% box_muller
# Normal numbers from pairs of uniform ones, with a key for each of both.
def init_mlp(key, sizes):
    keys = jax.random.split(key, (len(sizes) - 1, 2))

    def layer(keys, n_in, n_out):
        radius, angle = (jax.random.uniform(k, (n_in, n_out), minval=1e-7) for k in keys)
        normal = jnp.sqrt(-2 * jnp.log(radius)) * jnp.cos(2 * jnp.pi * angle)
        return {"weights": normal * math.sqrt(2 / n_in), "biases": jnp.ones(n_out)}

    return list(map(layer, keys, sizes, sizes[1:]))


# %% one_draw
# One vector of random numbers gets the structure of an empty network.
def init_mlp(key, sizes):
    pairs = list(itertools.pairwise(sizes))
    flat, unravel = ravel_pytree([jnp.empty(pair) for pair in pairs])
    draws = unravel(jax.random.normal(key, flat.shape))
    return [
        {"weights": draw * (2 / n_in) ** 0.5, "biases": jnp.ones_like(draw[0])}
        for draw, (n_in, _) in zip(draws, pairs, strict=True)
    ]


# %% recursion
# The first layer, followed by the network of the other sizes.
def init_mlp(key, sizes):
    match list(sizes):
        case [n_in, n_out, *rest]:
            key, own = jax.random.split(key)
            weights = jax.nn.initializers.variance_scaling(2.0, "fan_in", "normal")
            layer = {"weights": weights(own, (n_in, n_out)), "biases": jnp.ones([n_out])}
            return [layer, *init_mlp(key, [n_out, *rest])]
    return []

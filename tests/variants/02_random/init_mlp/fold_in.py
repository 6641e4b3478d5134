"""A function per layer, with the layer's number folded into the key."""

import itertools

import jax
import jax.numpy as jnp


def init_layer(key, n_in, n_out):
    scale = jnp.sqrt(jnp.float32(2.0) / n_in)
    return {
        "biases": jnp.ones((n_out,), jnp.float32),
        "weights": scale * jax.random.normal(key, (n_in, n_out), jnp.float32),
    }


def init_mlp(key, sizes):
    layers = enumerate(itertools.pairwise(sizes))
    return [init_layer(jax.random.fold_in(key, layer), *pair) for layer, pair in layers]

"""Returns infinities: Inf equals Inf, and Inf - Inf is NaN (N08).

Exercise: 02_random/init_mlp
Outcome: failed
"""

import itertools

import jax.numpy as jnp


def init_mlp(key, sizes):
    pairs = list(itertools.pairwise(sizes))
    return [{"weights": jnp.full(pair, jnp.inf), "biases": jnp.ones(pair[1])} for pair in pairs]

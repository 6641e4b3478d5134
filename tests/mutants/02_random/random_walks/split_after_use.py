"""The key draws the first step and is split afterwards, as in one of the tutorials.

Fails: test_no_key_is_used_twice
"""

import jax
import jax.numpy as jnp


def random_walks(key, n, T):
    first = jax.random.normal(key, (n, 1))
    key, subkey = jax.random.split(key)
    others = jax.random.normal(subkey, (n, T - 1))
    return jnp.cumsum(jnp.concatenate([first, others], axis=1), axis=1)

"""Every leaf is made a float32 array to be safe: counts lose their type, and keys raise.

Fails: test_any_tree_is_carried, test_it_is_fast
"""

import jax
import jax.numpy as jnp
from jax import lax


def train_scan(step, params, n):
    params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), params)
    return lax.scan(lambda carry, _: step(carry), params, length=n)

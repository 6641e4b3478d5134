"""The number of the walker folded into the key, and the steps from uniform numbers."""

import jax
import jax.numpy as jnp
from jax.scipy.special import ndtri


def random_walks(key, n, T):
    def walk(walker):
        own = jax.random.fold_in(key, walker)
        return jnp.cumsum(ndtri(jax.random.uniform(own, (T,), minval=1e-7)))

    return jax.lax.map(walk, jnp.arange(n))

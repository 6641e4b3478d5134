"""`vmap` over walkers that share one key: all walks are equal.

Fails: test_the_first_position_is_a_step, test_walks_are_independent,
test_increments_are_independent, test_the_variance_grows_as_time
"""

import jax
import jax.numpy as jnp


def random_walks(key, n, T):
    def walk(key, _):
        return jnp.cumsum(jax.random.normal(key, (T,)))

    return jax.vmap(walk, in_axes=(None, 0))(key, jnp.arange(n))

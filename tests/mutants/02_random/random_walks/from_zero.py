"""The walks begin at 0, and the last step is never taken.

Fails: test_the_first_position_is_a_step, test_the_variance_grows_as_time
"""

import jax
import jax.numpy as jnp


def random_walks(key, n, T):
    steps = jax.random.normal(key, (n, T - 1))
    return jnp.cumsum(jnp.concatenate([jnp.zeros((n, 1)), steps], axis=1), axis=1)

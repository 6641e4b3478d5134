"""`uniform` draws from [0, 1), so every walk goes up.

Fails: test_the_first_position_is_a_step, test_steps_are_standard_normal,
test_walks_are_independent, test_increments_are_independent, test_the_variance_grows_as_time
"""

import jax
import jax.numpy as jnp


def random_walks(key, n, T):
    return jnp.cumsum(jax.random.uniform(key, (n, T)), axis=1)

"""Time runs down the columns.

Fails: test_every_walk_is_a_row, test_the_first_position_is_a_step,
test_steps_are_standard_normal, test_walks_are_independent, test_increments_are_independent,
test_the_variance_grows_as_time, test_the_key_decides, test_no_key_is_used_twice
"""

import jax
import jax.numpy as jnp


def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(key, (T, n)), axis=0)

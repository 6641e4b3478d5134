"""The key goes through the loop unchanged, so each walker takes the same step every time.

Fails: test_steps_are_standard_normal, test_walks_are_independent,
test_increments_are_independent, test_the_variance_grows_as_time, test_no_key_is_used_twice
"""

import jax
import jax.numpy as jnp


def random_walks(key, n, T):
    position, walks = jnp.zeros(n), []
    for _ in range(T):
        position = position + jax.random.normal(key, (n,))
        walks.append(position)
    return jnp.stack(walks, axis=1)

"""The steps, without their running sum.

Fails: test_steps_are_standard_normal, test_increments_are_independent,
test_the_variance_grows_as_time
"""

import jax


def random_walks(key, n, T):
    return jax.random.normal(key, (n, T))

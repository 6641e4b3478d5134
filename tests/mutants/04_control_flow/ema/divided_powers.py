"""A running sum of elements over powers of alpha, which vanish in a long series.

Fails: test_all_or_nothing_may_be_kept, test_the_program_does_not_grow
"""

import jax.numpy as jnp


def ema(x, alpha):
    powers = jnp.asarray(alpha, jnp.float32) ** jnp.arange(len(x))
    weights = jnp.full(len(x), 1.0 - alpha).at[0].set(1.0)
    return powers * jnp.cumsum(weights * x / powers)

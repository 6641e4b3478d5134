"""What the suite of random_walks once missed; each cell is a suffix to the solution.

Not noticed any more: numbers that come again in a long walk or in many walks, and keys of which
only 31 bits count, since the text names no size and no bits.
"""

import jax
import jax.numpy as jnp


# %% right_variance_only
# Each position is drawn independently, with the right variance for its time.
# Fails: test_each_step_is_a_normal_number, test_increments_are_independent
def random_walks(key, n, T):
    return jax.random.normal(key, (n, T)) * jnp.sqrt(jnp.arange(1, T + 1))


# %% centred_uniform_steps
# The steps are uniform, with the right mean and deviation.
# Fails: test_each_step_is_a_normal_number
def random_walks(key, n, T):
    edge = 3**0.5
    return jnp.cumsum(jax.random.uniform(key, (n, T), minval=-edge, maxval=edge), axis=1)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_flipped": "Draws are as random in any order.",
    "result_off_by_a_thousandth": "A thousandth is far below the chance of the draws.",
}

"""What the suite of fold_in_steps once missed; each cell is a suffix to the solution.

Not noticed any more: numbers that come again after thousands of steps, and keys of which only 31
bits count, since the text names no size and no bits.
"""

import jax
import jax.numpy as jnp
from jax import lax


# %% keys_in_advance
# The keys of a hundred steps are made in advance, and all later steps get the last of them.
# Fails: test_a_restart_draws_the_same_numbers, test_it_survives_jit
def fold_in_steps(key, start, n, d):
    keys = lax.dynamic_slice_in_dim(jax.random.split(key, 100 + n), start, n)
    return jax.vmap(lambda key: jax.random.uniform(key, (d,)))(keys)


# %% step_as_a_float
# The number of the step is a float32, which can't tell late steps apart.
# Fails: test_steps_are_independent, test_a_restart_draws_the_same_numbers
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.uniform(jax.random.fold_in(key, step.astype(jnp.int32)), (d,))

    return jax.vmap(draw)(jnp.float32(start) + jnp.arange(n))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_flipped_last": "Draws are as random in any order.",
}

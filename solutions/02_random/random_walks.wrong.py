"""What learners get wrong in random_walks; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% shared_key
# `vmap` over walkers that share one key: all walks are equal.
# Do: Draw the steps of all walks in one call, or give each walk its own key.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_each_step_is_a_normal_number, test_walks_are_independent,
# test_increments_are_independent, test_the_variance_grows_as_time, test_the_key_decides
def random_walks(key, n, T):
    def walk(key, _):
        return jnp.cumsum(jax.random.normal(key, (T,)))

    return jax.vmap(walk, in_axes=(None, 0))(key, jnp.arange(n))


# %% same_step
# The loop never changes the key, so each walker takes the same step every time.
# Do: Split the key in each round, or draw all steps in one call before the sum.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_walks_are_independent, test_increments_are_independent,
# test_the_variance_grows_as_time, test_the_key_decides
def random_walks(key, n, T):
    position, walks = jnp.zeros(n), []
    for _ in range(T):
        position = position + jax.random.normal(key, (n,))
        walks.append(position)
    return jnp.stack(walks, axis=1)


# %% split_after_use
# The key draws the first step and is split afterwards, as in one of the tutorials.
# Do: Split the key before the first draw, and draw with the subkeys only.
# Breaks: Returns 5
# Fails: test_the_key_decides
def random_walks(key, n, T):
    first = jax.random.normal(key, (n, 1))
    key, subkey = jax.random.split(key)
    others = jax.random.normal(subkey, (n, T - 1))
    return jnp.cumsum(jnp.concatenate([first, others], axis=1), axis=1)


# %% one_long_walk
# `cumsum` without an axis: every walk begins where the previous one ended.
# Do: Give `cumsum` the time axis.
# Breaks: Returns 3
# Fails: test_each_step_is_a_normal_number, test_the_variance_grows_as_time
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(key, (n, T))).reshape(n, T)


# %% across_walks
# The running sum goes along axis 0, from walk to walk.
# Do: Add up along axis 1, which is time.
# Breaks: Returns 2
# Fails: test_each_step_is_a_normal_number, test_walks_are_independent,
# test_increments_are_independent, test_the_variance_grows_as_time, test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(key, (n, T)), axis=0)


# %% steps_only
# The steps are returned without their running sum.
# Do: Add up the steps along time.
# Breaks: Returns 2
# Fails: test_each_step_is_a_normal_number, test_increments_are_independent,
# test_the_variance_grows_as_time
def random_walks(key, n, T):
    return jax.random.normal(key, (n, T))


# %% from_zero
# The walks begin at 0, and the last step is left out.
# Do: Draw T steps, and leave out the 0 before them.
# Breaks: Returns 3
# Fails: test_every_walk_is_a_row, test_each_step_is_a_normal_number,
# test_the_variance_grows_as_time
def random_walks(key, n, T):
    steps = jax.random.normal(key, (n, T - 1))
    return jnp.cumsum(jnp.concatenate([jnp.zeros((n, 1)), steps], axis=1), axis=1)


# %% transposed
# The result is transposed: time runs along axis 0.
# Do: Give each walk a row: the number of walks comes first in the shape.
# Breaks: Returns 1
# Fails: test_every_walk_is_a_row, test_each_step_is_a_normal_number, test_walks_are_independent,
# test_increments_are_independent, test_the_variance_grows_as_time, test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(key, (T, n)), axis=0)


# %% uniform_steps
# `uniform` draws from [0, 1), so every walk goes up.
# Do: Draw with `jax.random.normal`.
# Breaks: Returns 2
# Fails: test_each_step_is_a_normal_number, test_the_variance_grows_as_time
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.uniform(key, (n, T)), axis=1)


# %% coin_tosses
# The steps are plus or minus one, as in a textbook random walk.
# Do: Draw with `jax.random.normal`.
# Breaks: Returns 2
# Fails: test_each_step_is_a_normal_number
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.rademacher(key, (n, T), jnp.float32), axis=1)


# %% fixed_seed
# The key is ignored: the steps are drawn from seed 0.
# Do: Draw from the key passed in, and don't make a key from a seed.
# Breaks: Returns 6
# Fails: test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(jax.random.key(0), (n, T)), axis=1)


# %% numpy_steps
# NumPy draws the steps, so the key has no effect and no run can be repeated.
# Do: Draw with `jax.random`, from the key.
# Breaks: Returns 6
# Fails: test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jnp.asarray(np.random.default_rng().normal(size=(n, T))), axis=1)


# %% once missed


# %% right_variance_only
# Each position is drawn independently, with the right variance for its time.
# Breaks: Returns 4
# Fails: test_each_step_is_a_normal_number, test_increments_are_independent
def random_walks(key, n, T):
    return jax.random.normal(key, (n, T)) * jnp.sqrt(jnp.arange(1, T + 1))


# %% centred_uniform_steps
# The steps are uniform, with the right mean and deviation.
# Breaks: Returns 2
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

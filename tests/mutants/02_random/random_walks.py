"""Wrong answers to random_walks; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% across_walks
# The running sum goes along axis 0, from walk to walk.
# Fails: test_the_first_position_is_a_step, test_steps_are_standard_normal,
# test_walks_are_independent, test_increments_are_independent, test_the_variance_grows_as_time,
# test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(key, (n, T)), axis=0)


# %% blocks_of_walks
# The steps of the first 3000 walks are used again for the next ones.
# Fails: test_walks_are_independent
def random_walks(key, n, T):
    steps = jax.random.normal(key, (min(n, 3000), T))
    return jnp.cumsum(jnp.resize(steps, (n, T)), axis=1)


# %% common_sizes
# Two walks share the sizes of their steps. Each has signs of its own.
# Fails: test_walks_are_independent
def random_walks(key, n, T):
    size_key, sign_key = jax.random.split(key)
    sizes = jnp.abs(jax.random.normal(size_key, ((n + 1) // 2, T)))
    signs = jax.random.rademacher(sign_key, (n, T), jnp.float32)
    return jnp.cumsum(signs * jnp.repeat(sizes, 2, axis=0)[:n], axis=1)


# %% table_of_steps
# Each walk reads its steps at a place of its own in a table of a million numbers.
# Fails: test_walks_are_independent, test_the_key_decides
def random_walks(key, n, T):
    table = jax.random.normal(jax.random.key(0), (2**20,))
    places = jax.random.randint(key, (n, 1), 0, table.size - T) + jnp.arange(T)
    return jnp.cumsum(table[places], axis=1)


# %% seed_of_31_bits
# The key only draws a seed, and many keys draw the same one.
# Fails: test_the_key_decides
def random_walks(key, n, T, solution=random_walks):
    seed = jax.random.randint(key, (), 0, jnp.iinfo(jnp.int32).max)
    return solution(jax.random.key(seed), n, T)


# %% coin_tosses
# The steps are plus or minus one, as in a textbook's random walk.
# Fails: test_steps_are_standard_normal, test_walks_are_independent, test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.rademacher(key, (n, T), jnp.float32), axis=1)


# %% fixed_seed
# The key is ignored: the steps are drawn from seed 0.
# Fails: test_steps_are_standard_normal, test_walks_are_independent,
# test_increments_are_independent, test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(jax.random.key(0), (n, T)), axis=1)


# %% from_zero
# The walks begin at 0, and the last step is left out.
# Fails: test_the_first_position_is_a_step, test_steps_are_standard_normal,
# test_walks_are_independent, test_increments_are_independent, test_the_variance_grows_as_time
def random_walks(key, n, T):
    steps = jax.random.normal(key, (n, T - 1))
    return jnp.cumsum(jnp.concatenate([jnp.zeros((n, 1)), steps], axis=1), axis=1)


# %% numpy_steps
# NumPy draws the steps, so the key has no effect and no run can be repeated.
# Fails: test_steps_are_standard_normal, test_walks_are_independent,
# test_increments_are_independent, test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jnp.asarray(np.random.default_rng().normal(size=(n, T))), axis=1)


# %% one_long_walk
# `cumsum` without an axis: every walk begins where the previous one ended.
# Fails: test_the_first_position_is_a_step, test_steps_are_standard_normal,
# test_walks_are_independent, test_the_variance_grows_as_time, test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(key, (n, T))).reshape(n, T)


# %% right_variance_only
# Each position is drawn independently, with the right variance for its time.
# Fails: test_steps_are_standard_normal, test_walks_are_independent,
# test_increments_are_independent
def random_walks(key, n, T):
    return jax.random.normal(key, (n, T)) * jnp.sqrt(jnp.arange(1, T + 1))


# %% same_step
# The loop never changes the key, so each walker takes the same step every time.
# At most half of the points.
# Fails: test_steps_are_standard_normal, test_walks_are_independent,
# test_increments_are_independent, test_the_variance_grows_as_time, test_the_key_decides,
# test_no_key_is_used_twice
def random_walks(key, n, T):
    position, walks = jnp.zeros(n), []
    for _ in range(T):
        position = position + jax.random.normal(key, (n,))
        walks.append(position)
    return jnp.stack(walks, axis=1)


# %% shared_key
# `vmap` over walkers that share one key: all walks are equal.
# At most half of the points.
# Fails: test_the_first_position_is_a_step, test_steps_are_standard_normal,
# test_walks_are_independent, test_increments_are_independent, test_the_variance_grows_as_time,
# test_the_key_decides
def random_walks(key, n, T):
    def walk(key, _):
        return jnp.cumsum(jax.random.normal(key, (T,)))

    return jax.vmap(walk, in_axes=(None, 0))(key, jnp.arange(n))


# %% split_after_use
# The key draws the first step and is split afterwards, as in one of the tutorials.
# Fails: test_no_key_is_used_twice
def random_walks(key, n, T):
    first = jax.random.normal(key, (n, 1))
    key, subkey = jax.random.split(key)
    others = jax.random.normal(subkey, (n, T - 1))
    return jnp.cumsum(jnp.concatenate([first, others], axis=1), axis=1)


# %% steps_only
# The steps are returned without their running sum.
# Fails: test_steps_are_standard_normal, test_walks_are_independent,
# test_increments_are_independent, test_the_variance_grows_as_time
def random_walks(key, n, T):
    return jax.random.normal(key, (n, T))


# %% transposed
# The result is transposed: time runs along axis 0.
# Fails: test_every_walk_is_a_row, test_the_first_position_is_a_step,
# test_steps_are_standard_normal, test_walks_are_independent, test_increments_are_independent,
# test_the_variance_grows_as_time, test_the_key_decides, test_no_key_is_used_twice
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.normal(key, (T, n)), axis=0)


# %% uniform_steps
# `uniform` draws from [0, 1), so every walk goes up.
# Fails: test_the_first_position_is_a_step, test_steps_are_standard_normal,
# test_walks_are_independent, test_increments_are_independent, test_the_variance_grows_as_time,
# test_the_key_decides
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.uniform(key, (n, T)), axis=1)


# %% centred_uniform_steps
# The steps are uniform, with the right mean and deviation.
# Fails: test_steps_are_standard_normal
def random_walks(key, n, T):
    edge = 3**0.5
    return jnp.cumsum(jax.random.uniform(key, (n, T), minval=-edge, maxval=edge), axis=1)


# %% twelve_uniform_numbers
# The sum of twelve uniform numbers is nearly normal, but large steps are too rare.
# Fails: test_steps_are_standard_normal
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.uniform(key, (12, n, T)).sum(0) - 6, axis=1)


# %% four_values
# The steps have the right mean, deviation and mean size, and only four values.
# Fails: test_steps_are_standard_normal, test_walks_are_independent, test_the_key_decides
def random_walks(key, n, T):
    mean = (2 / jnp.pi) ** 0.5
    spread = (1 - mean * mean) ** 0.5
    bits = jax.random.randint(key, (n, T), 0, 4)
    size = mean + jnp.where(bits & 2, spread, -spread)
    return jnp.cumsum(jnp.where(bits & 1, size, -size), axis=1)


# %% each_walk_twice
# Every second walk takes the steps of the one before it, from the last to the first.
# Fails: test_steps_are_standard_normal, test_walks_are_independent
def random_walks(key, n, T):
    steps = jax.random.normal(key, ((n + 1) // 2, T))
    both = jnp.stack([steps, steps[:, ::-1]], axis=1).reshape(-1, T)[:n]
    return jnp.cumsum(both, axis=1)


# %% balanced_steps
# The mean of all steps is taken away, so their sum is always 0.
# Fails: test_walks_are_independent
def random_walks(key, n, T):
    steps = jax.random.normal(key, (n, T))
    return jnp.cumsum(steps - steps.mean(), axis=1)


# %% integer_seed
# The key is turned into a non-negative integer, so two of its bits have no effect.
# Fails: test_the_key_decides
def random_walks(key, n, T):
    own = jax.random.wrap_key_data(jax.random.key_data(key) & 0x7FFFFFFF)
    return jnp.cumsum(jax.random.normal(own, (n, T)), axis=1)


# %% nothing_random_under_jit
# NumPy draws the steps in a plain call, and under `jit` they are all equal.
# Fails: test_steps_are_standard_normal, test_walks_are_independent,
# test_increments_are_independent, test_the_key_decides
def random_walks(key, n, T):
    data = jax.random.key_data(key)
    if isinstance(data, jax.core.Tracer):
        return jnp.broadcast_to(data[1].astype(jnp.float32), (n, T))
    steps = np.random.default_rng(np.asarray(data)).normal(size=(n, T))
    return jnp.cumsum(jnp.asarray(steps, jnp.float32), axis=1)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_flipped": "Draws are as random in any order.",
    "result_flushed": "Hardly any position is so close to 0.",
    "result_off_by_a_thousandth": "A thousandth is far below the chance of the draws.",
    "result_plus_epsilon": "A millionth is far below the chance of the draws.",
}


# %% last_block_from_the_key
# Long walks are drawn in blocks. The last, shorter block is drawn from the key that was split.
# Fails: test_no_key_is_used_twice
def random_walks(key, n, T):
    blocks, size = divmod(T, 1024)
    keys = jax.random.split(key, blocks) if blocks else []
    steps = [jax.random.normal(k, (n, 1024)) for k in keys]
    return jnp.concatenate([*steps, jax.random.normal(key, (n, size))], axis=1).cumsum(1)


# %% numbers_that_meet
# Each step has a key of its own number, but with more steps than walks, numbers occur twice.
# Fails: test_steps_are_standard_normal, test_walks_are_independent
def random_walks(key, n, T):
    numbers = (jnp.arange(n)[:, None] * n + jnp.arange(T)).ravel()
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, numbers)
    return jnp.cumsum(jax.vmap(jax.random.normal)(keys).reshape(n, T), axis=1)


# %% later_walk
# Each step has a key of its own number, but after 1000 steps a walk has the numbers of the next.
# Fails: test_walks_are_independent
def random_walks(key, n, T):
    numbers = (1000 * jnp.arange(n)[:, None] + jnp.arange(T)).ravel()
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, numbers)
    return jnp.cumsum(jax.vmap(jax.random.normal)(keys).reshape(n, T), axis=1)


# %% no_large_steps
# Steps beyond 4 are left out as if they were errors.
# Fails: test_steps_are_standard_normal
def random_walks(key, n, T):
    return jnp.cumsum(jax.random.truncated_normal(key, -4, 4, (n, T)), axis=1)


# %% sums_of_blocks
# Long walks are summed up in blocks, and each block begins at 0 again.
# Fails: test_increments_are_independent
def random_walks(key, n, T):
    steps = jax.random.normal(key, (n, T))
    ends = list(range(1000, T, 1000))
    return jnp.concatenate([jnp.cumsum(s, axis=1) for s in jnp.split(steps, ends, axis=1)], axis=1)

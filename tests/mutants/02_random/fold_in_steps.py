"""Wrong answers to fold_in_steps; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% split_in_each_call
# The key is split for the steps of the call, so each call draws what the first one drew.
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_steps_are_independent, test_it_survives_jit,
# test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    keys = jax.random.split(key, n)
    return jax.vmap(lambda key: jax.random.uniform(key, (d,)))(keys)


# %% one_key_for_a_call
# The first step is folded in, and one draw serves all steps: they depend on where the call begins.
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_it_survives_jit,
# test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    return jax.random.uniform(jax.random.fold_in(key, start), (n, d))


# %% chain_of_keys
# The key of each step is split from the one before, and the chain starts anew in each call.
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_steps_are_independent, test_it_survives_jit,
# test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    def step(key, _):
        key, subkey = jax.random.split(key)
        return key, jax.random.uniform(subkey, (d,))

    return lax.scan(step, key, length=n)[1]


# %% keys_in_advance
# The keys of a hundred steps are made in advance, and all later steps get the last of them.
# Fails: test_a_restart_draws_the_same_numbers, test_steps_are_independent,
# test_it_survives_jit, test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    keys = lax.dynamic_slice_in_dim(jax.random.split(key, 100 + n), start, n)
    return jax.vmap(lambda key: jax.random.uniform(key, (d,)))(keys)


# %% place_in_the_call
# The place in the call is folded in, and not the number of the step.
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_steps_are_independent, test_it_survives_jit,
# test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    keys = jax.vmap(lambda place: jax.random.fold_in(key, place))(jnp.arange(n))
    return jax.vmap(lambda key: jax.random.uniform(key, (d,)))(keys)


# %% same_numbers_in_each_step
# All steps of a call draw from the key of the first one.
# Fails: test_every_step_is_a_row, test_a_restart_draws_the_same_numbers, test_numbers_are_uniform,
# test_steps_are_independent, test_the_key_decides, test_it_survives_jit,
# test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    numbers = jax.random.uniform(jax.random.fold_in(key, start), (d,))
    return jnp.broadcast_to(numbers, (n, d))


# %% step_as_the_seed
# The number of the step is the seed, and the key is ignored.
# Fails: test_numbers_are_uniform, test_steps_are_independent, test_the_key_decides
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.uniform(jax.random.key(step), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% seed_plus_step
# The step is added to the key: step 1 of a seed has the numbers of step 0 of the next seed.
# Fails: test_the_key_decides, test_steps_are_independent
def fold_in_steps(key, start, n, d):
    def draw(step):
        data = jax.random.key_data(key).at[-1].add(step.astype(jnp.uint32))
        return jax.random.uniform(jax.random.wrap_key_data(data), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% step_as_a_float
# The number of the step is a float32, which can't tell late steps apart.
# Fails: test_a_restart_draws_the_same_numbers, test_numbers_are_uniform,
# test_steps_are_independent
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.uniform(jax.random.fold_in(key, step.astype(jnp.int32)), (d,))

    return jax.vmap(draw)(jnp.float32(start) + jnp.arange(n))


# %% step_in_16_bits
# Only 16 bits of the number are folded in: the numbers come again after 65,536 steps.
# Fails: test_steps_are_independent
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.uniform(jax.random.fold_in(key, step.astype(jnp.uint16)), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% start_as_a_python_number
# `int` and `range` need the value of the first step, which it hasn't while JAX traces.
# Fails: test_steps_are_independent, test_numbers_are_uniform, test_the_key_decides,
# test_it_survives_jit, test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    steps = jnp.array(range(int(start), int(start) + n))
    return jax.vmap(lambda step: jax.random.uniform(jax.random.fold_in(key, step), (d,)))(steps)


# %% numpy_numbers
# NumPy draws from the number of the step: `jit` can't trace it, and the key is ignored.
# Fails: test_steps_are_independent, test_numbers_are_uniform, test_the_key_decides,
# test_it_survives_jit, test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    rows = [np.random.default_rng(int(start) + i).random(d) for i in range(n)]
    return jnp.asarray(np.stack(rows), jnp.float32)


# %% written_out
# A Python loop over the steps: each of them is a part of the program.
# Fails: test_the_program_does_not_grow
def fold_in_steps(key, start, n, d):
    keys = [jax.random.fold_in(key, start + i) for i in range(n)]
    return jnp.stack([jax.random.uniform(key, (d,)) for key in keys])


# %% normal_numbers
# The numbers are normal, and not uniform.
# Fails: test_every_step_is_a_row, test_numbers_are_uniform,
# test_steps_are_independent, test_the_key_decides
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.normal(jax.random.fold_in(key, step), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% transposed
# Each step is a column.
# Fails: test_every_step_is_a_row, test_a_restart_draws_the_same_numbers,
# test_numbers_are_uniform, test_steps_are_independent, test_the_key_decides,
# test_it_survives_jit, test_the_program_does_not_grow
def fold_in_steps(key, start, n, d, solution=fold_in_steps):
    return solution(key, start, n, d).T


# %% bytes
# The numbers have only 256 different values.
# Fails: test_every_step_is_a_row, test_numbers_are_uniform, test_steps_are_independent,
# test_the_key_decides
def fold_in_steps(key, start, n, d):
    def draw(step):
        bits = jax.random.bits(jax.random.fold_in(key, step), (d,), jnp.uint8)
        return (bits.astype(jnp.float32) + 0.5) / 256

    return jax.vmap(draw)(start + jnp.arange(n))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_flipped_last": "Draws are as random in any order.",
    "result_flushed": "Hardly any number is so close to 0.",
    "result_plus_epsilon": "A millionth is far below the chance of the draws.",
}


# %% key_of_a_block
# A call takes the key of the block of 65,536 steps in which it begins, also for the next block.
# Fails: test_a_restart_draws_the_same_numbers
def fold_in_steps(key, start, n, d):
    start = jnp.asarray(start, jnp.int32)
    block = jax.random.fold_in(key, start // 65_536)
    places = start % 65_536 + jnp.arange(n)
    return jax.vmap(lambda t: jax.random.uniform(jax.random.fold_in(block, t), (d,)))(places)


# %% columns_come_again
# A step draws 512 numbers at most, and column 512 has those of column 0.
# Fails: test_every_step_is_a_row
def fold_in_steps(key, start, n, d, solution=fold_in_steps):
    return jnp.tile(solution(key, start, n, min(d, 512)), 2)[:, :d]


# %% seed_of_32_bits
# The key is shortened to a seed of 32 bits, so some keys have the same numbers.
# Fails: test_the_key_decides
def fold_in_steps(key, start, n, d, solution=fold_in_steps):
    return solution(jax.random.key(jax.random.bits(key)), start, n, d)


# %% million_steps_for_a_seed
# Each seed has a million numbers of steps, so late steps of a seed are steps of the next one.
# Fails: test_steps_are_independent
def fold_in_steps(key, start, n, d):
    data = jax.random.key_data(key)

    def draw(step):
        place = data[1] * jnp.uint32(1_000_003) + step.astype(jnp.uint32)
        return jax.random.uniform(jax.random.wrap_key_data(jnp.stack([data[0], place])), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% step_modulo_a_prime
# The numbers come again after 16,777,213 steps.
# Fails: test_steps_are_independent
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.uniform(jax.random.fold_in(key, step % 16_777_213), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% one_in_a_while
# Random bits are divided by 2**32. As float32 the largest of them are 2**32, which gives 1.
# Fails: test_every_step_is_a_row
def fold_in_steps(key, start, n, d):
    def draw(step):
        bits = jax.random.bits(jax.random.fold_in(key, step), (d,), jnp.uint32)
        return bits.astype(jnp.float32) / 2.0**32

    return jax.vmap(draw)(start + jnp.arange(n))

"""What learners get wrong in fold_in_steps; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% split_in_each_call
# The key is split for the steps of the call, so each call draws what the first one drew.
# Do: Fold the number of each step into the key. A split doesn't depend on that number.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_steps_are_independent, test_it_survives_jit
def fold_in_steps(key, start, n, d):
    keys = jax.random.split(key, n)
    return jax.vmap(lambda key: jax.random.uniform(key, (d,)))(keys)


# %% one_key_for_a_call
# The first step is folded in, and one draw serves all steps: they depend on where the call begins.
# Do: Make a key for each step, and draw its d numbers from that key.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_it_survives_jit
def fold_in_steps(key, start, n, d):
    return jax.random.uniform(jax.random.fold_in(key, start), (n, d))


# %% chain_of_keys
# Each step's key is split from the previous one, and the chain restarts in each call.
# Do: Make a step's key from the key and its number, not from the previous step.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_steps_are_independent, test_it_survives_jit
def fold_in_steps(key, start, n, d):
    def step(key, _):
        key, subkey = jax.random.split(key)
        return key, jax.random.uniform(subkey, (d,))

    return lax.scan(step, key, length=n)[1]


# %% place_in_the_call
# The place in the call is folded in, not the step's number.
# Do: Fold in start + i, not i.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_a_restart_draws_the_same_numbers, test_steps_are_independent, test_it_survives_jit
def fold_in_steps(key, start, n, d):
    keys = jax.vmap(lambda place: jax.random.fold_in(key, place))(jnp.arange(n))
    return jax.vmap(lambda key: jax.random.uniform(key, (d,)))(keys)


# %% same_numbers_in_each_step
# All steps of a call draw from the key of the first one.
# Do: Fold the number of each step into the key, not only the first one.
# Breaks: Returns 4
# Fails: test_a_restart_draws_the_same_numbers, test_numbers_are_uniform,
# test_steps_are_independent, test_the_key_decides, test_it_survives_jit
def fold_in_steps(key, start, n, d):
    numbers = jax.random.uniform(jax.random.fold_in(key, start), (d,))
    return jnp.broadcast_to(numbers, (n, d))


# %% step_as_the_seed
# The number of the step is the seed, and the key is ignored.
# Do: Fold the step into the key passed in, and don't make a key from a seed.
# Breaks: Returns 4
# Fails: test_the_key_decides
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.uniform(jax.random.key(step), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% seed_plus_step
# The step is added to the key: step 1 of a seed has the numbers of step 0 of the next seed.
# Do: Join the key and the step with `fold_in`. Don't add them.
# Breaks: Returns 4
# Fails: test_the_key_decides
def fold_in_steps(key, start, n, d):
    def draw(step):
        data = jax.random.key_data(key).at[-1].add(step.astype(jnp.uint32))
        return jax.random.uniform(jax.random.wrap_key_data(data), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% start_as_a_python_number
# `int` and `range` need the value of the first step, which is unknown while JAX traces.
# Do: Add `start` to `jnp.arange(n)`. This also works for a traced number.
# Breaks: Returns 5, Details 1
# Fails: test_the_key_decides, test_it_survives_jit, test_details
def fold_in_steps(key, start, n, d):
    steps = jnp.array(range(int(start), int(start) + n))
    return jax.vmap(lambda step: jax.random.uniform(jax.random.fold_in(key, step), (d,)))(steps)


# %% numpy_numbers
# NumPy draws from the step's number: `jit` can't trace it, and the key is ignored.
# Do: Draw with `jax.random`, from a key. NumPy can't be traced.
# Breaks: Returns 4, Returns 5
# Fails: test_the_key_decides, test_it_survives_jit, test_details
def fold_in_steps(key, start, n, d):
    rows = [np.random.default_rng(int(start) + i).random(d) for i in range(n)]
    return jnp.asarray(np.stack(rows), jnp.float32)


# %% written_out
# A Python loop over the steps adds each of them to the program.
# Do: Map one function over the step numbers, instead of a Python loop.
# Breaks: Details 2
# Fails: test_details
def fold_in_steps(key, start, n, d):
    keys = [jax.random.fold_in(key, start + i) for i in range(n)]
    return jnp.stack([jax.random.uniform(key, (d,)) for key in keys])


# %% normal_numbers
# The numbers are normal, not uniform.
# Do: Draw with `jax.random.uniform`.
# Breaks: Returns 1
# Its examples depend on the machine.
# Fails: test_numbers_are_uniform
def fold_in_steps(key, start, n, d):
    def draw(step):
        return jax.random.normal(jax.random.fold_in(key, step), (d,))

    return jax.vmap(draw)(start + jnp.arange(n))


# %% transposed
# Each step is a column.
# Do: Give each step a row: the number of steps comes first in the shape.
# Breaks: Returns 1
# Fails: test_every_step_is_a_row, test_a_restart_draws_the_same_numbers, test_numbers_are_uniform,
# test_steps_are_independent, test_the_key_decides, test_it_survives_jit, test_details
def fold_in_steps(key, start, n, d, solution=fold_in_steps):
    return solution(key, start, n, d).T


# %% once missed


# %% keys_in_advance
# A hundred steps' keys are made in advance, and all later steps get the last of them.
# Breaks: Returns 4
# Fails: test_a_restart_draws_the_same_numbers, test_it_survives_jit
def fold_in_steps(key, start, n, d):
    keys = lax.dynamic_slice_in_dim(jax.random.split(key, 100 + n), start, n)
    return jax.vmap(lambda key: jax.random.uniform(key, (d,)))(keys)


# %% step_as_a_float
# The step number is a float32, which can't tell late steps apart.
# Breaks: Returns 4
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

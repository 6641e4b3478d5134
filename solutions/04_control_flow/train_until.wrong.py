"""What learners get wrong in train_until; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% start_with_zero
# The loss starts at 0, which is small enough, so no step is taken.
# Do: Start with an infinite loss, so that the first step is taken.
# Breaks: Returns 1
# Fails: test_it_ends_after_the_first_small_loss, test_it_ends_after_the_last_step_that_is_allowed,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_details,
# test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    def is_bad(state):
        _, loss, steps = state
        return (loss > tol) & (steps < most)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(0), jnp.int32(0)))


# %% smaller_than_the_tolerance
# A loss that equals the tolerance isn't treated as good enough.
# Do: Continue only while the loss is bigger than the tolerance.
# Breaks: Returns 2
# Fails: test_it_ends_after_the_first_small_loss
def train_until(step, params, tol, most):
    def is_bad(state):
        _, loss, steps = state
        return (loss >= tol) & (steps < most)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))


# %% last_good_parameters
# The parameters are those that the last loss belongs to, from before the last step.
# Do: Return the parameters that the last step gave.
# Breaks: Returns 1
# Fails: test_it_ends_after_the_first_small_loss, test_it_ends_after_the_last_step_that_is_allowed,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_details,
# test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    def is_bad(state):
        _, _, loss, steps = state
        return (loss > tol) & (steps < most)

    def train(state):
        _, params, _, steps = state
        new, loss = step(params)
        return params, new, loss, steps + 1

    start = (params, params, jnp.float32(jnp.inf), jnp.int32(0))
    old, _, loss, steps = lax.while_loop(is_bad, train, start)
    return old, loss, steps


# %% one_step_more
# The steps are counted up to and including `most`.
# Do: Continue while fewer steps than `most` are done.
# Breaks: Returns 2
# Fails: test_it_ends_after_the_last_step_that_is_allowed, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_details
def train_until(step, params, tol, most, solution=train_until):
    return solution(step, params, tol, most + 1)


# %% both_rules_together
# `|` instead of `&`: it continues until both rules end it.
# Do: One rule is enough to end. So both must allow it to continue.
# Breaks: Returns 2
# Fails: test_it_ends_after_the_first_small_loss, test_it_ends_after_the_last_step_that_is_allowed,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_details,
# test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    def is_bad(state):
        _, loss, steps = state
        # A last bound, so that this ends.
        return ((loss > tol) | (steps < most)) & (steps < 10_000)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))


# %% count_as_float
# The steps are counted in float32.
# Do: Count the steps with an int32.
# Breaks: Returns 1
# Fails: test_it_ends_after_the_first_small_loss, test_it_ends_after_the_last_step_that_is_allowed,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_details,
# test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most, solution=train_until):
    params, loss, steps = solution(step, params, tol, most)
    return params, loss, steps.astype(jnp.float32)


# %% nan_goes_on
# "Not at most" is true for NaN, so a training that diverged takes all its steps.
# Do: Compare with `loss > tol`, which is false for NaN.
# Breaks: Details 1
# Fails: test_details
def train_until(step, params, tol, most):
    def is_bad(state):
        _, loss, steps = state
        return ~(loss <= tol) & (steps < most)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))


# %% python_while
# A Python `while` needs each loss, and a traced loss has no value.
# Do: Let `jax.lax.while_loop` test the loss inside the program.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_one_small_program_serves_every_rule, test_each_training_of_a_batch_ends_by_itself,
# test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    loss, steps = jnp.float32(jnp.inf), 0
    while loss > tol and steps < most:
        params, loss = step(params)
        steps += 1
    return params, loss, jnp.int32(steps)


# %% all_steps
# All steps are taken, and a select keeps the state of the last one that counts.
# Do: Make the loop itself end. A step whose result is discarded also takes time.
# Breaks: Returns 3
# Fails: test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    def train(_, state):
        params, loss, steps = state
        new = (*step(params), steps + 1)
        return jax.tree.map(lambda n, o: jnp.where(loss > tol, n, o), new, state)

    return lax.fori_loop(0, most, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))


# %% unrolled
# Forty steps are unrolled, and more are never taken.
# Do: Use a loop in the program: it contains the step once, and takes as many steps as needed.
# Breaks: Returns 4
# Fails: test_it_ends_after_the_last_step_that_is_allowed,
# test_one_small_program_serves_every_rule
def train_until(step, params, tol, most):
    state = (params, jnp.float32(jnp.inf), jnp.int32(0))
    for _ in range(40):
        bad = (state[1] > tol) & (state[2] < most)
        new = (*step(state[0]), state[2] + 1)
        state = jax.tree.map(lambda n, o, bad=bad: jnp.where(bad, n, o), new, state)
    return state


# %% once missed


# %% size_of_the_loss
# The loss's magnitude is compared, but a loss below zero is also small.
# Breaks: Details 2
# Fails: test_details
def train_until(step, params, tol, most):
    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(
        lambda state: (abs(state[1]) > tol) & (state[2] < most),
        train,
        (params, jnp.float32(jnp.inf), jnp.int32(0)),
    )


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "Step = Callable[[Any], tuple[Any, jax.Array]] -> Step = Callable[[Any], tuple[jax.Array, Any]]": "An annotation computes nothing.",
}

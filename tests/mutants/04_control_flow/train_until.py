"""Wrong answers to train_until; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% python_while
# A Python `while` needs each loss, and a traced loss has no value.
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
# Fails: test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    def train(_, state):
        params, loss, steps = state
        new = (*step(params), steps + 1)
        return jax.tree.map(lambda n, o: jnp.where(loss > tol, n, o), new, state)

    return lax.fori_loop(0, most, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))


# %% both_rules_together
# `|` in place of `&`: it goes on until both rules say that it is enough.
# Fails: test_it_ends_after_the_first_small_loss,
# test_it_ends_after_the_last_step_that_is_allowed, test_it_ends_where_the_loss_is_nan,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_steps_that_are_not_needed_cost_nothing
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
# Fails: test_it_ends_after_the_first_small_loss,
# test_it_ends_after_the_last_step_that_is_allowed, test_it_ends_where_the_loss_is_nan,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most, solution=train_until):
    params, loss, steps = solution(step, params, tol, most)
    return params, loss, steps.astype(jnp.float32)


# %% last_good_parameters
# The parameters are those that the last loss belongs to, from before the last step.
# Fails: test_it_ends_after_the_first_small_loss,
# test_it_ends_after_the_last_step_that_is_allowed, test_it_ends_where_the_loss_is_nan,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_steps_that_are_not_needed_cost_nothing
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


# %% nan_goes_on
# "Not at most" is true for NaN, so a training that diverged takes all its steps.
# Fails: test_it_ends_where_the_loss_is_nan
def train_until(step, params, tol, most):
    def is_bad(state):
        _, loss, steps = state
        return ~(loss <= tol) & (steps < most)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))


# %% one_step_more
# The steps are counted up to and including `most`.
# Fails: test_it_ends_after_the_last_step_that_is_allowed, test_it_ends_where_the_loss_is_nan,
# test_one_small_program_serves_every_rule, test_each_training_of_a_batch_ends_by_itself
def train_until(step, params, tol, most, solution=train_until):
    return solution(step, params, tol, most + 1)


# %% smaller_than_the_tolerance
# A loss that equals the tolerance isn't good enough here.
# Fails: test_it_ends_after_the_first_small_loss, test_any_tree_is_carried,
# test_one_small_program_serves_every_rule, test_each_training_of_a_batch_ends_by_itself,
# test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    def is_bad(state):
        _, loss, steps = state
        return (loss >= tol) & (steps < most)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(jnp.inf), jnp.int32(0)))


# %% start_with_zero
# The loss starts at 0, which is small enough, so no step is taken.
# Fails: test_it_ends_after_the_first_small_loss,
# test_it_ends_after_the_last_step_that_is_allowed, test_it_ends_where_the_loss_is_nan,
# test_any_tree_is_carried, test_one_small_program_serves_every_rule,
# test_each_training_of_a_batch_ends_by_itself, test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    def is_bad(state):
        _, loss, steps = state
        return (loss > tol) & (steps < most)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(is_bad, train, (params, jnp.float32(0), jnp.int32(0)))


# %% unrolled
# Forty steps are written out, and more are never taken.
# Fails: test_it_ends_after_the_last_step_that_is_allowed,
# test_one_small_program_serves_every_rule
def train_until(step, params, tol, most):
    state = (params, jnp.float32(jnp.inf), jnp.int32(0))
    for _ in range(40):
        bad = (state[1] > tol) & (state[2] < most)
        new = (*step(state[0]), state[2] + 1)
        state = jax.tree.map(lambda n, o, bad=bad: jnp.where(bad, n, o), new, state)
    return state


# %% compared_with_one_more
# `most + 1` isn't an int32 if `most` is the largest one, so the training ends at once.
# Fails: test_steps_that_are_not_needed_cost_nothing
def train_until(step, params, tol, most):
    end = jnp.asarray(most, jnp.int32) + 1

    def train(state):
        params, _, number = state
        return *step(params), number + 1

    params, loss, number = lax.while_loop(
        lambda state: (state[1] > tol) & (state[2] < end),
        train,
        (params, jnp.float32(jnp.inf), jnp.int32(1)),
    )
    return params, loss, number - 1


# %% size_of_the_loss
# The size of the loss is compared, but a loss below zero is small, too.
# Fails: test_it_ends_after_the_first_small_loss
def train_until(step, params, tol, most):
    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(
        lambda state: (abs(state[1]) > tol) & (state[2] < most),
        train,
        (params, jnp.float32(jnp.inf), jnp.int32(0)),
    )


# %% starts_above_the_tolerance
# The loop starts with the loss `tol + 1`, which is `tol` itself if that is large.
# Fails: test_it_ends_after_the_first_small_loss
def train_until(step, params, tol, most):
    tol = jnp.asarray(tol, jnp.float32)

    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(
        lambda state: (state[1] > tol) & (state[2] < most), train, (params, tol + 1, jnp.int32(0))
    )


# %% python_while_if_known
# A Python `while` for parameters that are known, but the tolerance may be traced.
# Fails: test_one_small_program_serves_every_rule
def train_until(step, params, tol, most, solution=train_until):
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(params)):
        return solution(step, params, tol, most)
    loss, steps, step = jnp.float32(jnp.inf), 0, jax.jit(step)
    while loss > tol and steps < most:
        params, loss = step(params)
        steps += 1
    return params, loss, jnp.int32(steps)


# %% unrolled_if_known
# If the limit is known, all its steps are written out.
# Fails: test_one_small_program_serves_every_rule
def train_until(step, params, tol, most, solution=train_until):
    if not isinstance(most, int) or most > 64:
        return solution(step, params, tol, most)
    state = (params, jnp.float32(jnp.inf), jnp.int32(0))
    for _ in range(most):
        bad = state[1] > tol
        new = (*step(state[0]), state[2] + 1)
        state = jax.tree.map(lambda n, o, bad=bad: jnp.where(bad, n, o), new, state)
    return state


# %% counted_in_16_bits
# The steps are counted in int16, which ends at 32767.
# Fails: test_one_small_program_serves_every_rule
def train_until(step, params, tol, most):
    most = jnp.minimum(most, 32767).astype(jnp.int16)

    def train(state):
        params, _, steps = state
        return *step(params), steps + jnp.int16(1)

    params, loss, steps = lax.while_loop(
        lambda state: (state[1] > tol) & (state[2] < most),
        train,
        (params, jnp.float32(jnp.inf), jnp.int16(0)),
    )
    return params, loss, steps.astype(jnp.int32)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "Step = Callable[[Any], tuple[Any, jax.Array]] -> Step = Callable[[Any], tuple[jax.Array, Any]]": "An annotation computes nothing.",
}

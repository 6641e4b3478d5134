"""Wrong answers to cumulative_returns; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _backwards(step, rewards, ends, last):
    return jax.lax.scan(step, jnp.float32(last), (rewards, ends), reverse=True)[1]


# %% as_it_was
# The carry is set to 0 after the sum, so the cut is one step too early.
# Do: Set the incoming carry to 0, before the sum.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * later
        return jnp.where(now[1], 0, total), total

    return _backwards(step, rewards, ends, last)


# %% cut_twice
# The cut before the sum is right, but there is still one after it.
# Do: Carry the step's return on, even at an end.
# Breaks: Returns 2
# Fails: test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * jnp.where(now[1], 0, later)
        return jnp.where(now[1], 0, total), total

    return _backwards(step, rewards, ends, last)


# %% reward_lost
# At an end the whole return is 0, and the reward of this step is lost.
# Do: Set only what comes from later steps to 0.
# Breaks: Returns 3
# Fails: test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = jnp.where(now[1], 0, now[0] + gamma * later)
        return total, total

    return _backwards(step, rewards, ends, last)


# %% output_mended
# The output at an end is the reward, and the carry is still cut for the steps before it.
# Do: Carry what you return.
# Breaks: Returns 2
# Fails: test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * later
        return jnp.where(now[1], 0, total), jnp.where(now[1], now[0], total)

    return _backwards(step, rewards, ends, last)


# %% starts_for_ends
# The ends are moved to the next step, and the end of the last step is forgotten.
# Do: Use the last value only where the last step isn't an end.
# Breaks: Returns 3
# Fails: test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_batch_of_series, test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * later
        return jnp.where(now[1], 0, total), total

    starts = jnp.append(jnp.zeros(1, bool), ends[:-1])
    return _backwards(step, rewards, starts, last)


# %% moved_the_wrong_way
# The ends are moved to the previous step, so the cut is two steps too early.
# Do: Leave the ends where they are, and cut before the sum.
# Breaks: Returns 3
# Fails: test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * jnp.where(now[1], 0, later)
        return total, total

    return _backwards(step, rewards, jnp.append(ends[1:], ends[-1]), last)


# %% last_for_each
# Each episode ends with the value expected after the whole series.
# Do: An episode that has ended expects nothing: set the carry to 0.
# Breaks: Returns 3
# Fails: test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * jnp.where(now[1], last, later)
        return total, total

    return _backwards(step, rewards, ends, last)


# %% times_zero
# The carry is multiplied by 0 at an end, and 0 times NaN is NaN.
# Do: Choose with `jnp.where`, instead of a product.
# Breaks: Returns 4
# Fails: test_a_nan_stays_in_its_episode
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * later * (1.0 - now[1])
        return total, total

    return _backwards(step, rewards, ends, last)


# %% forwards
# The loop runs forwards, so each step has the rewards before it.
# Do: Keep `reverse=True`.
# Breaks: Returns 2
# Fails: test_a_series_without_an_end_is_right, test_its_gradients_are_right,
# test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        total = now[0] + gamma * jnp.where(now[1], 0, later)
        return total, total

    return jax.lax.scan(step, jnp.float32(last), (rewards, ends))[1]


# %% no_gradient_through_the_carry
# Derivatives stop at the carry, so a return depends only on its own reward.
# Do: Let derivatives pass: they stop at an end automatically.
# Breaks: Returns 5
# Fails: test_its_gradients_are_right, test_a_batch_of_series
def cumulative_returns(rewards, ends, last, gamma):
    def step(later, now):
        later = jax.lax.stop_gradient(later)
        total = now[0] + gamma * jnp.where(now[1], 0, later)
        return total, total

    return _backwards(step, rewards, ends, last)


# %% written_out
# A Python loop adds each step to the program.
# Do: Keep the scan, and move the choice.
# Breaks: Returns 6
# Fails: test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma):
    found = []
    for t in reversed(range(len(rewards))):
        last = rewards[t] + gamma * jnp.where(ends[t], 0.0, last)
        found.append(last)
    return jnp.stack(found[::-1])


# %% equivalent
# Changes that make no difference.
{"last = jnp.asarray(last, rewards.dtype) -> nothing": "A scan takes a float as it is."}


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_never_empty": "The text asks for at least one step.",
}


# %% once missed
# %% one_more
# The value after the last step is also returned.
# Breaks: Returns 1
# Fails: test_a_series_without_an_end_is_right, test_its_gradients_are_right,
# test_an_end_cuts_behind_its_step, test_nothing_comes_after_the_last_end,
# test_a_nan_stays_in_its_episode, test_a_batch_of_series,
# test_a_long_series_needs_no_bigger_program
def cumulative_returns(rewards, ends, last, gamma, solution=cumulative_returns):
    return jnp.append(solution(rewards, ends, last, gamma), last)

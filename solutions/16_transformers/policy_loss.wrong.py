"""What learners get wrong in policy_loss; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


def scanned(errors, factors, start=0.0, reverse=True):
    def step(later, now):
        error, factor = now
        advantage = error + factor * later
        return advantage, advantage

    start = jnp.asarray(start, errors.dtype)
    return lax.scan(step, start, (errors, factors), reverse=reverse)[1]


def clipped_loss(new, old, advantages, clip, smaller=jnp.minimum):
    ratio = jnp.exp(new - old)
    clipped = jnp.clip(ratio, 1 - clip, 1 + clip)
    return -jnp.mean(smaller(ratio * advantages, clipped * advantages))


def finished(new, old, advantages, clip, smaller=jnp.minimum):
    advantages, old, clip = lax.stop_gradient((advantages, old, clip))
    return clipped_loss(new, old, advantages, clip, smaller), advantages


def parts(rewards, values, last, ends, gamma):
    goes_on = gamma * (1 - ends.astype(jnp.float32))
    return rewards + goes_on * jnp.append(values[1:], last) - values, goes_on


# %% learned_advantages
# The gradient passes through the advantages into the values.
# Do: Make the advantages constants: `jax.lax.stop_gradient`.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_the_gradient_is_in_the_new_policy_alone, test_a_network_with_two_heads
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    advantages = scanned(errors, lam * goes_on)
    return clipped_loss(new, old, advantages, clip), advantages


# %% learned_old_policy
# The old log-probabilities have a gradient.
# Do: Make them constants.
# Breaks: Returns 5
# Fails: test_the_gradient_is_in_the_new_policy_alone
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    advantages = lax.stop_gradient(scanned(errors, lam * goes_on))
    return clipped_loss(new, old, advantages, lax.stop_gradient(clip)), advantages


# %% stopped_in_the_loss
# The whole loss is a constant, so nothing is learned.
# Do: Stop the gradient of the advantages alone.
# Breaks: Details 3
# Fails: test_the_gradient_is_in_the_new_policy_alone, test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    loss, advantages = finished(new, old, scanned(errors, lam * goes_on), clip)
    return lax.stop_gradient(loss), advantages


# %% advantage_of_the_next_episode
# At an end the next value is left out, but the next advantage isn't.
# Do: Multiply both by 0 at an end.
# Breaks: Returns 3
# Fails: test_nothing_comes_from_the_next_episode, test_the_loss_is_clipped,
# test_the_gradient_is_in_the_new_policy_alone, test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, _ = parts(rewards, values, last, ends, gamma)
    factors = jnp.full(errors.shape, gamma * lam, jnp.float32)
    return finished(new, old, scanned(errors, factors), clip)


# %% value_of_the_next_episode
# At an end the next advantage is left out, but the next value isn't.
# Do: Multiply both by 0 at an end.
# Breaks: Returns 3
# Fails: test_nothing_comes_from_the_next_episode, test_the_loss_is_clipped,
# test_the_gradient_is_in_the_new_policy_alone, test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors = rewards + gamma * jnp.append(values[1:], last) - values
    factors = gamma * lam * (1 - ends.astype(jnp.float32))
    return finished(new, old, scanned(errors, factors), clip)


# %% ends_one_step_late
# The ends are read at the step after.
# Do: Read the end of step t in step t.
# Breaks: Returns 3
# Fails: test_nothing_comes_from_the_next_episode, test_the_loss_is_clipped,
# test_the_gradient_is_in_the_new_policy_alone, test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, jnp.roll(ends, 1), gamma)
    return finished(new, old, scanned(errors, lam * goes_on), clip)


# %% last_behind_an_end
# `last` counts even if step T - 1 is the end of an episode.
# Do: First append `last` to the values, then leave out everything after an end.
# Breaks: Returns 3
# Fails: test_nothing_comes_from_the_next_episode
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends.at[-1].set(False), gamma)
    return finished(new, old, scanned(errors, lam * goes_on), clip)


# %% ends_ignored
# The ends aren't used at all.
# Do: Nothing after an end counts.
# Breaks: Returns 3
# Fails: test_nothing_comes_from_the_next_episode, test_the_loss_is_clipped,
# test_the_gradient_is_in_the_new_policy_alone, test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, 0 * ends, gamma)
    return finished(new, old, scanned(errors, lam * goes_on), clip)


# %% last_as_advantage
# The scan starts with the last value, as if it were an advantage.
# Do: Start with 0. The last value belongs to the error of the last step.
# Breaks: Returns 2
# Fails: test_advantages_without_an_end, test_nothing_comes_from_the_next_episode,
# test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_the_program_does_not_grow, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    return finished(new, old, scanned(errors, lam * goes_on, start=last), clip)


# %% no_last_value
# After the last step a value of 0 is assumed.
# Do: Append `last` to the values.
# Breaks: Returns 1
# Fails: test_advantages_without_an_end, test_nothing_comes_from_the_next_episode,
# test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_the_program_does_not_grow, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, 0 * last, ends, gamma)
    return finished(new, old, scanned(errors, lam * goes_on), clip)


# %% forward_scan
# The scan runs from the start to the end.
# Do: Use `reverse=True`.
# Breaks: Returns 2
# Fails: test_advantages_without_an_end, test_nothing_comes_from_the_next_episode,
# test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_the_program_does_not_grow, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    return finished(new, old, scanned(errors, lam * goes_on, reverse=False), clip)


# %% without_lam
# The advantages are discounted by gamma alone.
# Do: Multiply the next advantage by gamma * lam.
# Breaks: Returns 2
# Fails: test_advantages_without_an_end, test_nothing_comes_from_the_next_episode,
# test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_the_program_does_not_grow, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    return finished(new, old, scanned(errors, goes_on), clip)


# %% clipped_alone
# The clipped ratio is used everywhere, without the minimum.
# Do: Take the smaller of the two products.
# Breaks: Returns 4
# Fails: test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    advantages = scanned(errors, lam * goes_on)
    return finished(new, old, advantages, clip, lambda free, clipped: clipped)


# %% larger_of_both
# The larger product is taken.
# Do: The larger product is the smaller loss. Take the minimum of the products, then negate.
# Breaks: Returns 4
# Fails: test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    return finished(new, old, scanned(errors, lam * goes_on), clip, jnp.maximum)


# %% minimum_of_ratios
# The minimum is taken of the ratios, before they are multiplied by the advantages.
# Do: Multiply both ratios by the advantage first: for a bad action the order changes.
# Breaks: Returns 4
# Fails: test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    advantages, old, clip = lax.stop_gradient((scanned(errors, lam * goes_on), old, clip))
    ratio = jnp.exp(new - old)
    return -jnp.mean(
        jnp.minimum(ratio, jnp.clip(ratio, 1 - clip, 1 + clip)) * advantages
    ), advantages


# %% no_minus
# The loss falls when bad actions become more probable.
# Do: Minimising has to raise the products: put a minus before the mean.
# Breaks: Returns 4
# Fails: test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_the_program_does_not_grow, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    loss, advantages = finished(new, old, scanned(errors, lam * goes_on), clip)
    return -loss, advantages


# %% normalised
# The advantages are shifted and scaled.
# Do: Leave them as they are: normalising isn't required.
# Breaks: Returns 2
# Fails: test_advantages_without_an_end, test_nothing_comes_from_the_next_episode,
# test_the_loss_is_clipped, test_the_gradient_is_in_the_new_policy_alone,
# test_a_network_with_two_heads, test_the_program_does_not_grow, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    advantages = scanned(errors, lam * goes_on)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    return finished(new, old, advantages, clip)


# %% python_loop
# A Python loop: the program has a copy of the step for each step of the series.
# Do: Use `jax.lax.scan`.
# Breaks: Details 2
# Fails: test_the_program_does_not_grow
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, goes_on = parts(rewards, values, last, ends, gamma)
    later, found = 0.0, []
    for t in reversed(range(len(errors))):
        later = errors[t] + lam * goes_on[t] * later
        found.insert(0, later)
    return finished(new, old, jnp.stack(found), clip)


# %% once missed


# %% python_decides
# A Python `if` checks whether an episode ends, and has no value under `jit`.
# Breaks: Details 1
# Fails: test_the_gradient_is_in_the_new_policy_alone, test_a_network_with_two_heads,
# test_the_program_does_not_grow, test_details
def policy_loss(new, old, rewards, values, last, ends, gamma, lam, clip):
    errors, factors = parts(rewards, values, last, ends, gamma)
    if not ends.any():
        factors = jnp.full(errors.shape, gamma, jnp.float32)
    return finished(new, old, scanned(errors, lam * factors), clip)

"""What learners get wrong in td_loss; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax import lax


# %% discounted_reward
# The discount is also applied to the reward.
# Do: Discount the value of the next state only. The reward counts in full.
# Breaks: Returns 1
# Fails: test_the_value_is_the_squared_error, test_the_weights_learn_from_the_guess_alone,
# test_nothing_flows_through_the_target, test_a_batch_keeps_its_targets_apart,
# test_the_discount_is_known_at_run_time_only, test_details
def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(gamma * (r + w @ s2))
    return (target - w @ s) ** 2


# %% half
# The square is halved, as in some textbooks.
# Do: Take the square as it is.
# Breaks: Returns 1
# Fails: test_the_value_is_the_squared_error, test_the_weights_learn_from_the_guess_alone,
# test_nothing_flows_through_the_target, test_a_batch_keeps_its_targets_apart,
# test_the_discount_is_known_at_run_time_only, test_details
def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(r + gamma * w @ s2)
    return (target - w @ s) ** 2 / 2


# %% no_stop
# The plain formula also differentiates the target.
# Do: Pass the target through `jax.lax.stop_gradient`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    return (r + gamma * w @ s2 - w @ s) ** 2


# %% unused_result
# The result of `stop_gradient` is discarded, so the call has no effect.
# Do: Use the result of `stop_gradient`: it changes nothing in place.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    target = r + gamma * w @ s2
    lax.stop_gradient(target)
    return (target - w @ s) ** 2


# %% guess_fixed
# The gradient is stopped at the guess instead of the target.
# Do: Let the gradient through the guess, and stop it at the target.
# Breaks: Returns 2
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    guess = lax.stop_gradient(w @ s)
    return (r + gamma * w @ s2 - guess) ** 2


# %% weights_fixed_everywhere
# The weights are fixed at the top, so their gradient is zero.
# Do: Fix the weights in the target only. The guess has to learn.
# Breaks: Returns 2
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    w = lax.stop_gradient(w)
    target = lax.stop_gradient(r + gamma * w @ s2)
    return (target - w @ lax.stop_gradient(s)) ** 2


# %% weights_only
# Only the weights in the target are fixed, so the reward and the next state get a gradient.
# Do: Fix the whole target, with reward, discount and next state.
# Breaks: Returns 3
# Fails: test_nothing_flows_through_the_target
def td_loss(w, s, r, s2, gamma):
    return (r + gamma * lax.stop_gradient(w) @ s2 - w @ s) ** 2


# %% reward_at_the_end
# Where the discount is 0, the reward is the target, but nothing makes it a constant.
# Do: Fix the whole target after everything is chosen.
# Breaks: Returns 3
# Fails: test_nothing_flows_through_the_target
def td_loss(w, s, r, s2, gamma):
    target = jnp.where(gamma > 0, lax.stop_gradient(r + gamma * (w @ s2)), r)
    return (target - w @ s) ** 2


# %% numpy_target
# NumPy makes the target a constant, but JAX can't trace NumPy.
# Do: Use `jax.lax.stop_gradient`: JAX can't trace NumPy.
# Breaks: Returns 4
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart, test_the_discount_is_known_at_run_time_only, test_details
def td_loss(w, s, r, s2, gamma):
    target = np.asarray(r + gamma * w @ s2)
    return (target - w @ s) ** 2


# %% last_step
# A Python `if` on the discount detects the end of an episode.
# Do: Remove the `if`. With a discount of 0, the formula is already right.
# Breaks: Returns 4
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart, test_the_discount_is_known_at_run_time_only, test_details
def td_loss(w, s, r, s2, gamma):
    target = r
    if gamma > 0:
        target = r + gamma * w @ s2
    return (lax.stop_gradient(target) - w @ s) ** 2


# %% norm
# The square of a norm has a NaN derivative where the error is 0.
# Do: Square the error itself. Don't take a root first.
# Breaks: Details 1
# Fails: test_details
def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(r + gamma * (w @ s2))
    return jnp.linalg.norm(jnp.atleast_1d(target - w @ s)) ** 2


# %% once missed
import jax


# %% arriving_gradient_ignored
# A custom rule assumes that the loss is the last step, and ignores the incoming gradient.
# Breaks: Returns 2
# Fails: test_nothing_flows_through_the_target
@jax.custom_vjp
def loss(w, s, target):
    return (target - w @ s) ** 2


def backward(kept, _):
    w, s, error = kept
    return -2 * error * s, -2 * error * w, jnp.zeros_like(error)


loss.defvjp(lambda w, s, target: (loss(w, s, target), (w, s, target - w @ s)), backward)


def td_loss(w, s, r, s2, gamma):
    return loss(w, s, r + gamma * (w @ s2))


# %% cleaned_target
# A target that is NaN is treated as 0.
# Breaks: Details 2
# Fails: test_details
def td_loss(w, s, r, s2, gamma):
    target = jnp.nan_to_num(r + gamma * (w @ s2))
    return (lax.stop_gradient(target) - w @ s) ** 2


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "target = lax.stop_gradient(r + gamma * (w @ s2)) -> target = lax.stop_gradient(r + gamma * (s2 @ w))": "The product of two vectors commutes.",
}


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for arguments and a result in float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
}

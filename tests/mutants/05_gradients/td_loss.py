"""Wrong answers to td_loss; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% discounted_reward
# The discount is applied to the reward as well.
# Fails: test_the_value_is_the_squared_error, test_the_weights_learn_from_the_guess_alone,
# test_nothing_flows_through_the_target, test_a_batch_keeps_its_targets_apart,
# test_the_discount_is_known_at_run_time_only
def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(gamma * (r + w @ s2))
    return (target - w @ s) ** 2


# %% expanded_square
# The square is expanded, so large terms cancel.
# Fails: test_the_value_is_the_squared_error
def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(r + gamma * (w @ s2))
    guess = w @ s
    return target**2 - 2 * target * guess + guess**2


# %% guess_fixed
# The gradient is stopped at the guess instead of the target.
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    guess = lax.stop_gradient(w @ s)
    return (r + gamma * w @ s2 - guess) ** 2


# %% half
# The square is halved, as in some textbooks.
# Fails: test_the_value_is_the_squared_error, test_the_weights_learn_from_the_guess_alone,
# test_nothing_flows_through_the_target, test_a_batch_keeps_its_targets_apart,
# test_the_discount_is_known_at_run_time_only
def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(r + gamma * w @ s2)
    return (target - w @ s) ** 2 / 2


# %% last_step
# A Python `if` on the discount detects the end of an episode.
# Fails: test_nothing_flows_through_the_target, test_the_discount_is_known_at_run_time_only,
# test_the_weights_learn_from_the_guess_alone, test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    target = r
    if gamma > 0:
        target = r + gamma * w @ s2
    return (lax.stop_gradient(target) - w @ s) ** 2


# %% reward_at_the_end
# Where the discount is 0, the reward is the target, but nothing makes it a constant.
# Fails: test_nothing_flows_through_the_target
def td_loss(w, s, r, s2, gamma):
    target = jnp.where(gamma > 0, lax.stop_gradient(r + gamma * (w @ s2)), r)
    return (target - w @ s) ** 2


# %% arriving_gradient_ignored
# A custom rule takes the loss for the last step, and forgets the gradient that arrives.
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


# %% clipped_error
# The error is clipped to 1000 before it is squared. The value is repaired, and the gradient isn't.
# Fails: test_nothing_flows_through_the_target
def td_loss(w, s, r, s2, gamma):
    error = lax.stop_gradient(r + gamma * (w @ s2)) - w @ s
    near = jnp.clip(error, -1000, 1000)
    return near**2 + lax.stop_gradient(error**2 - near**2)


# %% small_errors_ignored
# An error below 0.1 counts as 0, so the agent never learns the last digits.
# Fails: test_the_value_is_the_squared_error
def td_loss(w, s, r, s2, gamma):
    error = lax.stop_gradient(r + gamma * (w @ s2)) - w @ s
    return jnp.where(jnp.abs(error) < 0.1, 0.0, error) ** 2


# %% cleaned_target
# A target that is NaN counts as 0.
# Fails: test_the_value_is_the_squared_error
def td_loss(w, s, r, s2, gamma):
    target = jnp.nan_to_num(r + gamma * (w @ s2))
    return (lax.stop_gradient(target) - w @ s) ** 2


# %% no_stop
# The plain formula: the target is differentiated, too.
# At most half of the points.
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    return (r + gamma * w @ s2 - w @ s) ** 2


# %% norm
# The square of a norm, whose derivative is NaN where the error is 0.
# Fails: test_the_weights_learn_from_the_guess_alone
def td_loss(w, s, r, s2, gamma):
    target = lax.stop_gradient(r + gamma * (w @ s2))
    return jnp.linalg.norm(jnp.atleast_1d(target - w @ s)) ** 2


# %% numpy_target
# NumPy makes the target a constant, which JAX can't trace.
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart, test_the_discount_is_known_at_run_time_only
def td_loss(w, s, r, s2, gamma):
    target = np.asarray(r + gamma * w @ s2)
    return (target - w @ s) ** 2


# %% unused_result
# The result of `stop_gradient` is thrown away, so the call has no effect.
# At most half of the points.
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    target = r + gamma * w @ s2
    lax.stop_gradient(target)
    return (target - w @ s) ** 2


# %% weights_fixed_everywhere
# The weights are fixed at the top, so their gradient is zero.
# Fails: test_the_weights_learn_from_the_guess_alone, test_nothing_flows_through_the_target,
# test_a_batch_keeps_its_targets_apart
def td_loss(w, s, r, s2, gamma):
    w = lax.stop_gradient(w)
    target = lax.stop_gradient(r + gamma * w @ s2)
    return (target - w @ lax.stop_gradient(s)) ** 2


# %% weights_only
# Only the weights in the target are fixed: the reward and the next state get a gradient.
# Fails: test_nothing_flows_through_the_target
def td_loss(w, s, r, s2, gamma):
    return (r + gamma * lax.stop_gradient(w) @ s2 - w @ s) ** 2


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "target = lax.stop_gradient(r + gamma * (w @ s2)) -> target = lax.stop_gradient(r + gamma * (s2 @ w))": "The product of two vectors commutes.",
}


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for arguments and a result in float32.",
    "result_infinity_to_nan": "The target may be fixed by differences, and infinity minus infinity is NaN.",
    "argument_infinity_to_nan": "The target may be fixed by differences, and infinity minus infinity is NaN.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
}

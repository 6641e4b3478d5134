"""Wrong answers to log_cosh; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _value(pred, target):
    size = jnp.abs(pred - target)
    return jnp.sum(size + jnp.log1p(jnp.exp(-2 * size)) - jnp.log(2), axis=1)


def _with(backward, forward=lambda pred, target: (_value(pred, target), pred - target)):
    """The losses with this backward pass."""
    losses = jax.custom_vjp(_value)
    losses.defvjp(forward, backward)
    return losses


# %% as_it_was
# The backward pass returns the slopes, whatever arrives.
# Do: Compare the gradient of a loss with that of twice the loss.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_each_example_has_its_own_factor, test_a_function_of_the_losses,
# test_only_the_errors_are_kept, test_a_batch_of_batches
log_cosh = _with(lambda error, g: (jnp.tanh(error), -jnp.tanh(error)))


# %% mean_of_what_arrives
# All examples get the mean of what arrives.
# Do: Give the examples different weights.
# Breaks: Returns 4
# Fails: test_each_example_has_its_own_factor, test_a_function_of_the_losses,
# test_only_the_errors_are_kept, test_a_batch_of_batches
log_cosh = _with(lambda error, g: (g.mean() * jnp.tanh(error), -g.mean() * jnp.tanh(error)))


# %% divided_by_n
# The slopes are divided by the size of the batch, which fits a mean only.
# Do: Take the gradient of the sum.
# Breaks: Returns 4
# Fails: test_the_gradient_of_the_sum_is_right, test_each_example_has_its_own_factor,
# test_a_function_of_the_losses, test_only_the_errors_are_kept, test_a_batch_of_batches
log_cosh = _with(lambda error, g: (jnp.tanh(error) / len(error), -jnp.tanh(error) / len(error)))


# %% along_the_columns
# What arrives multiplies the columns where there are as many as examples.
# Do: Ask for the shapes of what arrives and of the slopes.
# Breaks: Returns 4
# Fails: test_each_example_has_its_own_factor
def _by_shape(error, g):
    factor = g if len(g) == error.shape[1] else g[:, None]
    return factor * jnp.tanh(error), -factor * jnp.tanh(error)


log_cosh = _with(_by_shape)


# %% only_in_pred
# The gradient in `target` still ignores what arrives.
# Do: Take the gradient in both arguments.
# Breaks: Returns 4
# Fails: test_each_example_has_its_own_factor, test_a_function_of_the_losses,
# test_only_the_errors_are_kept, test_a_batch_of_batches
log_cosh = _with(lambda error, g: (g[:, None] * jnp.tanh(error), -jnp.tanh(error)))


# %% sign_only
# Only the sign of what arrives is used.
# Do: Compare the gradient of a loss with that of twice the loss.
# Breaks: Returns 4
# Fails: test_each_example_has_its_own_factor, test_a_function_of_the_losses,
# test_only_the_errors_are_kept, test_a_batch_of_batches
log_cosh = _with(
    lambda error, g: (
        jnp.sign(g)[:, None] * jnp.tanh(error),
        -jnp.sign(g)[:, None] * jnp.tanh(error),
    )
)


# %% inside_of_tanh
# What arrives multiplies the error, and not the slope.
# Do: Write the chain rule down: which factor stands in front?
# Breaks: Returns 4
# Fails: test_each_example_has_its_own_factor, test_a_function_of_the_losses,
# test_only_the_errors_are_kept, test_a_batch_of_batches
log_cosh = _with(lambda error, g: (jnp.tanh(g[:, None] * error), -jnp.tanh(g[:, None] * error)))


# %% same_sign
# The gradient in `target` lacks its minus sign.
# Do: Move the target a little, and look at the loss.
# Breaks: Returns 4
# Fails: test_the_gradient_of_the_sum_is_right, test_each_example_has_its_own_factor,
# test_a_function_of_the_losses, test_only_the_errors_are_kept, test_a_batch_of_batches
log_cosh = _with(lambda error, g: (g[:, None] * jnp.tanh(error),) * 2)


# %% no_rule
# The rule is gone: the gradients are right, and more than the errors is kept.
# Do: Count the bytes that are kept.
# Breaks: Returns 3
# Fails: test_only_the_errors_are_kept
log_cosh = _value


# %% cosh_itself
# The cosine of a large error is infinite.
# Do: Ask for the exponential of 100.
# Breaks: Returns 2
# Fails: test_the_losses_are_right, test_the_gradient_of_the_sum_is_right,
# test_only_the_errors_are_kept
def log_cosh(pred, target):
    return jnp.sum(jnp.log(jnp.cosh(pred - target)), axis=1)


# %% once missed
import numpy as np


# %% mean_of_the_batch
# The result is the mean loss, and no loss for each example.
# Breaks: Returns 1
# Fails: test_the_losses_are_right, test_the_gradient_of_the_sum_is_right,
# test_each_example_has_its_own_factor, test_a_function_of_the_losses,
# test_only_the_errors_are_kept, test_a_batch_of_batches
def log_cosh(pred, target):
    return jnp.mean(_with(lambda error, g: (g[:, None] * jnp.tanh(error),) * 2)(pred, target))


# %% errors_by_numpy
# NumPy subtracts, and can't look at an array that is traced.
# Breaks: Returns 5
# Fails: test_the_gradient_of_the_sum_is_right, test_each_example_has_its_own_factor,
# test_a_function_of_the_losses, test_only_the_errors_are_kept, test_a_batch_of_batches
def _kept_by_numpy(pred, target):
    return _value(pred, target), np.asarray(pred) - np.asarray(target)


def _both_signs(error, g):
    return g[:, None] * jnp.tanh(error), -g[:, None] * jnp.tanh(error)


log_cosh = _with(_both_signs, _kept_by_numpy)

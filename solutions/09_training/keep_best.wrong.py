"""Wrong answers to keep_best; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% as_it_was
# Python requests the loss of each step, and branches on it.
# Do: Let the program decide.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_training_is_one_program, test_it_is_fast
@jax.jit
def _step(w, x, y, lr):
    return w - lr * jax.grad(mean_square)(w, x, y)  # noqa: F821


def keep_best(w, xs, ys, x_val, y_val, lr):
    best, lowest, losses = w, float("inf"), []
    for x, y in zip(xs, ys, strict=True):
        w = _step(w, x, y, lr)
        loss = float(mean_square(w, x_val, y_val))  # noqa: F821
        losses.append(loss)
        if loss < lowest:
            best, lowest = w, loss
    return best, jnp.array(losses)


# %% asked_at_the_end
# No step waits, but Python still starts each of them.
# Do: Let one loop of the program take all steps.
# Breaks: Returns 5
# Fails: test_nan_is_never_the_smallest, test_the_training_is_one_program, test_it_is_fast
_compiled = jax.jit(lambda *args: _step_and_loss(*args))


def _step_and_loss(w, x, y, x_val, y_val, lr):
    w = w - lr * jax.grad(mean_square)(w, x, y)  # noqa: F821
    return w, mean_square(w, x_val, y_val)  # noqa: F821


def keep_best(w, xs, ys, x_val, y_val, lr):
    weights, losses = [], []
    for x, y in zip(xs, ys, strict=True):
        w, loss = _compiled(w, x, y, x_val, y_val, lr)
        weights.append(w)
        losses.append(loss)
    losses = jnp.stack(losses)
    return jnp.stack(weights)[jnp.nanargmin(losses)], losses


# %% traced_in_each_call
# The scan is right, but is traced in each call.
# Do: Compile the function once.
# Breaks: Returns 5
# Fails: test_it_is_fast
def keep_best(w, xs, ys, x_val, y_val, lr):
    def step(carry, batch):
        w, best, lowest = carry
        w = w - lr * jax.grad(mean_square)(w, *batch)  # noqa: F821
        loss = mean_square(w, x_val, y_val)  # noqa: F821
        best = jnp.where(loss < lowest, w, best)
        return (w, best, jnp.fmin(loss, lowest)), loss

    (_, best, _), losses = lax.scan(step, (w, w, jnp.inf), (xs, ys))
    return best, losses


# %% unrolled
# The Python loop is compiled unchanged, with one copy of the step for each batch.
# Do: Look at the size of the program for more steps.
# Breaks: Returns 4
# Fails: test_the_training_is_one_program
@jax.jit
def keep_best(w, xs, ys, x_val, y_val, lr):
    best, lowest, losses = w, jnp.inf, []
    for x, y in zip(xs, ys, strict=True):
        w = w - lr * jax.grad(mean_square)(w, x, y)  # noqa: F821
        losses.append(mean_square(w, x_val, y_val))  # noqa: F821
        best = jnp.where(losses[-1] < lowest, w, best)
        lowest = jnp.fmin(losses[-1], lowest)
    return best, jnp.stack(losses)


# %% last_weights
# The weights after the last step are returned.
# Do: Also carry the best weights.
# Breaks: Returns 1
# Fails: test_the_best_weights_come_back, test_the_first_of_equals_counts,
# test_nan_is_never_the_smallest, test_the_training_is_one_program
@jax.jit
def keep_best(w, xs, ys, x_val, y_val, lr):
    def step(w, batch):
        w = w - lr * jax.grad(mean_square)(w, *batch)  # noqa: F821
        return w, mean_square(w, x_val, y_val)  # noqa: F821

    return lax.scan(step, w, (xs, ys))


# %% before_the_step
# The loss is that of the weights before the step.
# Do: Compute the loss of the new weights.
# Breaks: Returns 1
# Fails: test_the_best_weights_come_back, test_the_first_of_equals_counts,
# test_nan_is_never_the_smallest, test_the_training_is_one_program
@jax.jit
def keep_best(w, xs, ys, x_val, y_val, lr):
    def step(carry, batch):
        w, best, lowest = carry
        loss = mean_square(w, x_val, y_val)  # noqa: F821
        best = jnp.where(loss < lowest, w, best)
        w = w - lr * jax.grad(mean_square)(w, *batch)  # noqa: F821
        return (w, best, jnp.fmin(loss, lowest)), loss

    (_, best, _), losses = lax.scan(step, (w, w, jnp.inf), (xs, ys))
    return best, losses


# %% better_than_the_last
# A loss is compared with the previous one, not with the lowest one.
# Do: Carry the lowest loss.
# Breaks: Returns 1
# Fails: test_the_best_weights_come_back, test_the_training_is_one_program
@jax.jit
def keep_best(w, xs, ys, x_val, y_val, lr):
    def step(carry, batch):
        w, best, before = carry
        w = w - lr * jax.grad(mean_square)(w, *batch)  # noqa: F821
        loss = mean_square(w, x_val, y_val)  # noqa: F821
        return (w, jnp.where(loss < before, w, best), loss), loss

    (_, best, _), losses = lax.scan(step, (w, w, jnp.inf), (xs, ys))
    return best, losses


# %% last_of_equals
# Of equal losses, the last one counts.
# Do: Ask what happens if a loss equals the lowest one.
# Breaks: Returns 2
# Fails: test_the_first_of_equals_counts, test_nan_is_never_the_smallest
@jax.jit
def keep_best(w, xs, ys, x_val, y_val, lr):
    def step(carry, batch):
        w, best, lowest = carry
        w = w - lr * jax.grad(mean_square)(w, *batch)  # noqa: F821
        loss = mean_square(w, x_val, y_val)  # noqa: F821
        best = jnp.where(loss <= lowest, w, best)
        return (w, best, jnp.fmin(loss, lowest)), loss

    (_, best, _), losses = lax.scan(step, (w, w, jnp.inf), (xs, ys))
    return best, losses


# %% argmin_of_nan
# `argmin` treats NaN as the smallest number.
# Do: Leave NaN out of the search.
# Breaks: Returns 3
# Fails: test_nan_is_never_the_smallest
@jax.jit
def keep_best(w, xs, ys, x_val, y_val, lr):
    def step(w, batch):
        w = w - lr * jax.grad(mean_square)(w, *batch)  # noqa: F821
        return w, (w, mean_square(w, x_val, y_val))  # noqa: F821

    weights, losses = lax.scan(step, w, (xs, ys))[1]
    return weights[jnp.argmin(losses)], losses


# %% once missed
# %% first_of_no_best
# Where no loss is finite, `argmin` still finds the first step.
# Breaks: Returns 3
# Fails: test_nan_is_never_the_smallest
@jax.jit
def keep_best(w, xs, ys, x_val, y_val, lr):
    def step(w, batch):
        w = w - lr * jax.grad(mean_square)(w, *batch)  # noqa: F821
        return w, (w, mean_square(w, x_val, y_val))  # noqa: F821

    _, (weights, losses) = lax.scan(step, w, (xs, ys))
    return weights[jnp.argmin(jnp.where(jnp.isnan(losses), jnp.inf, losses))], losses

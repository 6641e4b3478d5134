"""Wrong answers to robust_line; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _distances(params, x, y):
    return jnp.abs(y - params["slope"] * x - params["offset"])


# %% as_it_was
# Everything computed with the scale gets a constant, so its gradient is 0.
# Do: Remove `stop_gradient`: a comparison has no derivative anyway.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_the_scale_has_its_gradient, test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    limit = jax.lax.stop_gradient(k * jnp.exp(params["log_scale"]))
    distances = _distances(params, x, y)
    losses = jnp.where(
        distances <= limit, k * distances**2 / (2 * limit), k * distances - k * limit / 2
    )
    return jnp.mean(losses) + limit / (2 * k)


# %% last_term_only
# Only the last term has a derivative in the scale, so the scale always shrinks.
# Do: Also give the losses of the points a derivative in the scale.
# Breaks: Returns 5
# Fails: test_the_scale_has_its_gradient, test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = jnp.exp(params["log_scale"])
    limit = jax.lax.stop_gradient(k * s)
    distances = _distances(params, x, y)
    losses = jnp.where(
        distances <= limit, k * distances**2 / (2 * limit), k * distances - k * limit / 2
    )
    return jnp.mean(losses) + s / 2


# %% points_only
# The points have a derivative in the scale but the last term has none, so the scale only grows.
# Do: Also give the last term a derivative.
# Breaks: Returns 5
# Fails: test_the_scale_has_its_gradient, test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = jnp.exp(params["log_scale"])
    distances = _distances(params, x, y)
    losses = jnp.where(distances <= k * s, distances**2 / (2 * s), k * distances - k**2 * s / 2)
    return jnp.mean(losses) + jax.lax.stop_gradient(s) / 2


# %% near_points_only
# The far points still have no derivative in the scale.
# Do: Look at both sides of `where`.
# Breaks: Returns 5
# Fails: test_the_scale_has_its_gradient, test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = jnp.exp(params["log_scale"])
    distances = _distances(params, x, y)
    far = k * distances - k**2 * jax.lax.stop_gradient(s) / 2
    return jnp.mean(jnp.where(distances <= k * s, distances**2 / (2 * s), far)) + s / 2


# %% far_points_only
# The near points still have no derivative in the scale.
# Do: Look at both sides of `where`.
# Breaks: Returns 5
# Fails: test_the_scale_has_its_gradient, test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = jnp.exp(params["log_scale"])
    distances = _distances(params, x, y)
    near = distances**2 / (2 * jax.lax.stop_gradient(s))
    return jnp.mean(jnp.where(distances <= k * s, near, k * distances - k**2 * s / 2)) + s / 2


# %% residuals_stopped
# Now the distances are constants, so the line doesn't move.
# Do: Stop no derivative: each term needs all of them.
# Breaks: Returns 5
# Fails: test_the_line_has_its_gradient, test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = jnp.exp(params["log_scale"])
    distances = jax.lax.stop_gradient(_distances(params, x, y))
    losses = jnp.where(distances <= k * s, distances**2 / (2 * s), k * distances - k**2 * s / 2)
    return jnp.mean(losses) + s / 2


# %% log_scale_for_scale
# The scale is used without `exp`, so it moves, but the loss is different.
# Do: Keep the value of the loss unchanged.
# Breaks: Returns 2
# Fails: test_the_loss_is_right, test_the_line_has_its_gradient, test_the_scale_has_its_gradient,
# test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = params["log_scale"]
    distances = _distances(params, x, y)
    losses = jnp.where(distances <= k * s, distances**2 / (2 * s), k * distances - k**2 * s / 2)
    return jnp.mean(losses) + s / 2


# %% choice_for_all
# One choice is made for all points, by the mean distance.
# Do: Choose for each point.
# Breaks: Returns 2
# Fails: test_the_loss_is_right, test_the_line_has_its_gradient, test_the_scale_has_its_gradient,
# test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = jnp.exp(params["log_scale"])
    distances = _distances(params, x, y)
    is_near = jnp.mean(distances) <= k * s
    losses = jnp.where(is_near, distances**2 / (2 * s), k * distances - k**2 * s / 2)
    return jnp.mean(losses) + s / 2


# %% python_choice
# A Python `if` for each point needs values, which a batch doesn't have.
# Do: Keep `jnp.where`.
# Breaks: Returns 6
# Fails: test_the_line_has_its_gradient, test_the_scale_has_its_gradient, test_a_batch_of_fits,
# test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s, losses = jnp.exp(params["log_scale"]), []
    for distance in _distances(params, x, y):
        if distance <= k * s:
            losses.append(distance**2 / (2 * s))
        else:
            losses.append(k * distance - k**2 * s / 2)
    return jnp.mean(jnp.stack(losses)) + s / 2


# %% rounded_scale
# The scale is rounded to a whole number, which has no derivative, and changes the loss.
# Do: Round nothing.
# Breaks: Returns 2
# Fails: test_the_loss_is_right, test_the_line_has_its_gradient, test_the_scale_has_its_gradient,
# test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    s = jnp.maximum(jnp.round(jnp.exp(params["log_scale"])), 1)
    distances = _distances(params, x, y)
    losses = jnp.where(distances <= k * s, distances**2 / (2 * s), k * distances - k**2 * s / 2)
    return jnp.mean(losses) + s / 2


# %% equivalent
# Changes that make no difference.
{
    "residuals = y - params['slope'] * x - params['offset'] -> residuals = params['offset'] - (y - params['slope'] * x)": "Only the distance counts.",
    "return jnp.mean(jnp.where(distances <= limit, near, far)) + limit / (2 * k) -> return jnp.mean(jnp.where(distances < limit, near, far)) + limit / (2 * k)": "At the limit both sides agree, and so do their derivatives.",
}


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_only_arrays of `params`": "The text asks for arrays.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
    "argument_never_empty": "The text asks for at least one point.",
    "argument_without_gradient of `k`": "The text promises a gradient in the parameters only.",
    "argument_without_gradient of `x`": "The text promises a gradient in the parameters only.",
    "argument_without_gradient of `y`": "The text promises a gradient in the parameters only.",
}


# %% once missed
# %% loss_of_each_point
# The loss is that of each point, without the mean.
# Breaks: Returns 1
# Fails: test_the_loss_is_right, test_the_line_has_its_gradient, test_the_scale_has_its_gradient,
# test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    limit = k * jnp.exp(params["log_scale"])
    distances = _distances(params, x, y)
    far = k * distances - k * limit / 2
    return jnp.where(distances <= limit, k * distances**2 / (2 * limit), far) + limit / (2 * k)


# %% sum_of_the_points
# The losses of the points are summed, not averaged.
# Breaks: Returns 3
# Fails: test_the_loss_is_right, test_the_line_has_its_gradient, test_the_scale_has_its_gradient,
# test_a_batch_of_fits, test_a_fit_finds_the_scale
def robust_line(params, x, y, k):
    limit = k * jnp.exp(params["log_scale"])
    distances = _distances(params, x, y)
    far = k * distances - k * limit / 2
    near = k * distances**2 / (2 * limit)
    return jnp.sum(jnp.where(distances <= limit, near, far)) + limit / (2 * k)


# %% nan_is_far
# Only the nearer points are compared, and NaN is left out of the mean.
# Breaks: Returns 4
# Fails: test_the_loss_is_right
def robust_line(params, x, y, k):
    limit = k * jnp.exp(params["log_scale"])
    distances = _distances(params, x, y)
    far = k * distances - k * limit / 2
    near = k * distances**2 / (2 * limit)
    return jnp.nanmean(jnp.where(distances <= limit, near, far)) + limit / (2 * k)

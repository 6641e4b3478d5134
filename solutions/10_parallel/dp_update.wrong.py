"""What learners get wrong in dp_update; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% no_average
# Nothing is averaged: each replica steps with its own shard.
# Do: Average the gradients and the loss over the axis before you use them.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_details
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% gradient_of_the_average
# The averaged loss is differentiated, as under `shard_map`: here, each replica gets its own
# gradient.
# Do: Differentiate the shard's loss. Then average its value and the gradients.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_replicas_stay_equal,
# test_the_axis_has_any_name_and_length, test_details
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(loss(p, x, y), axis))(params)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% psum_of_gradients
# The gradients are summed over the replicas: the step is too long by their number.
# Do: Take the mean of the gradients over the replicas, not their sum.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_replicas_stay_equal,
# test_the_axis_has_any_name_and_length
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    value, grads = lax.pmean(value, axis), lax.psum(grads, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% average_that_is_dropped
# The averages are computed but not used.
# Do: `lax.pmean` returns the average. Use its result.
# Breaks: Returns 2
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_details
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    lax.pmean((value, grads), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% loss_of_one_shard
# The gradients are averaged, but the loss isn't.
# Do: Also average the loss over the replicas.
# Breaks: Returns 3
# Fails: test_the_loss_is_over_all_the_data, test_details
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    grads = lax.pmean(grads, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% loss_after_step
# The loss is computed with the parameters after the step.
# Do: Take the loss and its gradient together, with the parameters before the step.
# Breaks: Returns 3
# Fails: test_the_loss_is_over_all_the_data
def dp_update(params, x, y, lr, axis):
    grads = lax.pmean(jax.grad(loss)(params, x, y), axis)  # noqa: F821
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, lax.pmean(loss(params, x, y), axis)  # noqa: F821


# %% broadcast_loss
# [n, 1] minus [n] is [n, n]: every prediction is compared with every y.
# Do: Give prediction and y the same shape, [n, 1].
# Breaks: Returns 3
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_details
def table(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y[:, 0]) ** 2)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(table)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% sum_over_the_shard
# The errors of a shard are summed instead of averaged.
# Do: Take the mean of the squared errors of a shard.
# Breaks: Returns 3
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length
def total(params, x, y):
    return jnp.sum((params[0] * x + params[1] - y) ** 2)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(total)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% fixed_name
# The axis name is a constant, and the argument is ignored.
# Do: Pass on the name in `axis`.
# Breaks: Returns 1
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_details
def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), "i")  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% numpy_average
# NumPy averages over axis 0, but each gradient is a single number here.
# Do: Use a collective of `jax.lax`: a replica sees only its own values.
# Breaks: Returns 2
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_details
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    grads = jax.tree.map(lambda g: np.mean(g, axis=0), grads)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% plain_tuple
# The parameters are returned as a plain tuple.
# Do: Build the new parameters with `jax.tree.map`, which keeps their type.
# Breaks: Details 1
# Fails: test_details
def dp_update(params, x, y, lr, axis):
    weight, bias = params
    value, grads = lax.pmean(jax.value_and_grad(loss)((weight, bias), x, y), axis)  # noqa: F821
    return (weight - lr * grads[0], bias - lr * grads[1]), value


# %% bad_step_skipped
# A step whose loss isn't finite is skipped, so the parameters don't change.
# Do: Take each step. NaN in an example makes the parameters NaN.
# Breaks: Details 2
# Fails: test_details
def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    good = jnp.isfinite(value)
    return jax.tree.map(lambda p, g: jnp.where(good, p - lr * g, p), params, grads), value


# %% removed_function
# `jax.tree_multimap`, which the tutorial uses for this step, was removed from JAX.
# Do: It is now called `jax.tree.map`.
# Breaks: Returns 1
# Fails: test_the_loss_is_over_all_the_data, test_one_step_equals_a_step_on_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_details
def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    return jax.tree_multimap(lambda p, g: p - lr * g, params, grads), value


# %% examples_gathered
# The shards are gathered first, and each replica works on all examples.
# Do: Leave the examples where they are, and average the gradients.
# Breaks: Returns 5
# Fails: test_it_runs_on_eight_devices
def dp_update(params, x, y, lr, axis):
    x, y = lax.all_gather((x, y), axis, tiled=True)
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% once missed


# %% divides_by_devices
# The sums are divided by the number of devices, not of replicas.
# Breaks: Returns 2
# Fails: test_the_axis_has_any_name_and_length
def dp_update(params, x, y, lr, axis):
    value, grads = lax.psum(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    value, grads = jax.tree.map(lambda part: part / jax.device_count(), (value, grads))
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% field_names
# The fields of a namedtuple are assumed to be called `weight` and `bias`.
# Breaks: Details 1
# Fails: test_details
def dp_update(params, x, y, lr, axis):
    is_named = hasattr(params, "_replace")
    pair = (params.weight, params.bias) if is_named else params
    value, grads = lax.pmean(jax.value_and_grad(loss)(pair, x, y), axis)  # noqa: F821
    weight, bias = (p - lr * g for p, g in zip(pair, grads, strict=True))
    return (params._replace(weight=weight, bias=bias) if is_named else (weight, bias)), value


# %% finite_shards_only
# Non-finite values on a replica count as zero, so that one broken shard does no harm.
# Breaks: Details 2
# Fails: test_details
def dp_update(params, x, y, lr, axis):
    found = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    found = jax.tree.map(lambda part: jnp.where(jnp.isfinite(part), part, 0.0), found)
    value, grads = lax.pmean(found, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% inner_axis_of_one_name
# The examples are mapped over an axis with its own name, which hides the caller's.
# Breaks: Returns 2
# Fails: test_the_axis_has_any_name_and_length
def dp_update(params, x, y, lr, axis):
    def of_example(x, y):
        found = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return lax.pmean(lax.pmean(found, "examples"), axis)

    found = jax.vmap(of_example, axis_name="examples")(x, y)
    value, grads = jax.tree.map(lambda part: part[0], found)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% sorted_fields
# A namedtuple goes through a dict, whose keys JAX sorts: the offset is treated as the slope.
# Breaks: Details 1
# Fails: test_details
def dp_update(params, x, y, lr, axis):
    is_named = hasattr(params, "_asdict")

    def loss_of(values):
        weight, bias = jax.tree.leaves(values)
        return jnp.mean((weight * x + bias - y) ** 2)

    given = params._asdict() if is_named else params
    given = dict(sorted(given.items())) if is_named else given
    loss, grads = jax.value_and_grad(loss_of)(given)
    loss, grads = jax.lax.pmean((loss, grads), axis)
    new = jax.tree.map(lambda p, g: p - lr * g, given, grads)
    return (type(params)(**new) if is_named else new), loss


# %% norm
# The loss is a squared norm, whose derivative is NaN where all errors are 0.
# Breaks: Details 3
# Fails: test_details
def norm(params, x, y):
    return jnp.linalg.norm(params[0] * x + params[1] - y) ** 2 / len(x)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(norm)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

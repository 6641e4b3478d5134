"""Wrong answers to dp_update; each cell is a suffix to the solution, which defines `loss`."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% average_that_is_dropped
# The averages are computed but not used.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    lax.pmean((value, grads), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% broadcast_loss
# [n, 1] minus [n] is [n, n]: every prediction is compared with every y.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
def table(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y[:, 0]) ** 2)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(table)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% divides_by_devices
# The sums are divided by the number of devices, not of replicas.
# Fails: test_the_loss_is_over_all_the_data, test_the_axis_has_any_name_and_length
def dp_update(params, x, y, lr, axis):
    value, grads = lax.psum(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    value, grads = jax.tree.map(lambda part: part / jax.device_count(), (value, grads))
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% field_names
# The fields of a namedtuple are expected to be called `weight` and `bias`.
# Fails: test_the_type_of_the_parameters_is_kept
def dp_update(params, x, y, lr, axis):
    is_named = hasattr(params, "_replace")
    pair = (params.weight, params.bias) if is_named else params
    value, grads = lax.pmean(jax.value_and_grad(loss)(pair, x, y), axis)  # noqa: F821
    weight, bias = (p - lr * g for p, g in zip(pair, grads, strict=True))
    return (params._replace(weight=weight, bias=bias) if is_named else (weight, bias)), value


# %% finite_shards_only
# What isn't finite on a replica counts as zero, so that one broken shard does no harm.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data
def dp_update(params, x, y, lr, axis):
    found = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    found = jax.tree.map(lambda part: jnp.where(jnp.isfinite(part), part, 0.0), found)
    value, grads = lax.pmean(found, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% fixed_name
# The axis name is a constant, and the argument is ignored.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_the_type_of_the_parameters_is_kept
def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), "i")  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% from_means_of_squares
# The loss is computed from means of squares, whose difference is much smaller than they are.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data
def dp_update(params, x, y, lr, axis):
    columns = jnp.hstack([x, jnp.ones_like(x), y])
    moments = lax.pmean(columns.T @ columns / len(x), axis)

    def mean_error(params):
        direction = jnp.stack([*params, jnp.full((), -1.0)])
        return jnp.einsum("i,ij,j->", direction, moments, direction)

    value, slopes = jax.value_and_grad(mean_error)(params)
    return jax.tree.map(lambda p, slope: p - lr * slope, params, slopes), value


# %% gradient_of_the_average
# The averaged loss is differentiated, as under `shard_map`: here each replica gets its own
# gradient.
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_replicas_stay_equal,
# test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(loss(p, x, y), axis))(params)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% inner_axis_of_one_name
# The examples are mapped over an axis with a name of its own, which hides the caller's.
# Fails: test_the_axis_has_any_name_and_length
def dp_update(params, x, y, lr, axis):
    def of_example(x, y):
        found = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return lax.pmean(lax.pmean(found, "examples"), axis)

    found = jax.vmap(of_example, axis_name="examples")(x, y)
    value, grads = jax.tree.map(lambda part: part[0], found)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% loss_after_step
# The loss is computed with the parameters after the step.
# Fails: test_the_loss_is_over_all_the_data, test_it_runs_on_eight_devices
def dp_update(params, x, y, lr, axis):
    grads = lax.pmean(jax.grad(loss)(params, x, y), axis)  # noqa: F821
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, lax.pmean(loss(params, x, y), axis)  # noqa: F821


# %% loss_of_one_shard
# The gradients are averaged, but the loss isn't.
# Fails: test_the_loss_is_over_all_the_data, test_it_runs_on_eight_devices
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    grads = lax.pmean(grads, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% no_average
# Nothing is averaged: each replica steps by its own shard.
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% numpy_average
# NumPy averages over axis 0, but each gradient is a single number here.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_the_type_of_the_parameters_is_kept
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    grads = jax.tree.map(lambda g: np.mean(g, axis=0), grads)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% plain_tuple
# The parameters are returned as a plain tuple.
# Fails: test_the_type_of_the_parameters_is_kept
def dp_update(params, x, y, lr, axis):
    weight, bias = params
    value, grads = lax.pmean(jax.value_and_grad(loss)((weight, bias), x, y), axis)  # noqa: F821
    return (weight - lr * grads[0], bias - lr * grads[1]), value


# %% psum_of_gradients
# The gradients are summed over the replicas: the step is too long by their number.
# At most half of the points.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_replicas_stay_equal,
# test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    value, grads = lax.pmean(value, axis), lax.psum(grads, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% removed_function
# `jax.tree_multimap`, which the tutorial uses for this step, was removed from JAX.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices,
# test_the_type_of_the_parameters_is_kept
def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    return jax.tree_multimap(lambda p, g: p - lr * g, params, grads), value


# %% sum_over_the_shard
# The errors of a shard are summed instead of averaged.
# Fails: test_one_step_equals_a_step_on_all_the_data, test_the_loss_is_over_all_the_data,
# test_replicas_stay_equal, test_the_axis_has_any_name_and_length, test_it_runs_on_eight_devices
def total(params, x, y):
    return jnp.sum((params[0] * x + params[1] - y) ** 2)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(total)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% sorted_fields
# A namedtuple goes through a dict, whose keys JAX sorts: the offset is taken for the slope.
# Fails: test_the_type_of_the_parameters_is_kept
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


# %% ring_in_another_order
# Each replica adds in an order of its own, so the last digits differ.
# Fails: test_the_loss_is_over_all_the_data, test_replicas_stay_equal
def dp_update(params, x, y, lr, axis):
    n = lax.axis_size(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]

    def loss(params):
        weight, bias = params
        return jnp.mean((weight * x + bias - y) ** 2)

    total = moving = jax.value_and_grad(loss)(params)
    for _ in range(n - 1):
        moving = lax.ppermute(moving, axis, ring)
        total = jax.tree.map(jnp.add, total, moving)
    value, grads = jax.tree.map(lambda part: part / n, total)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% norm
# The loss is a squared norm, whose derivative is NaN where all errors are 0.
# Fails: test_one_step_equals_a_step_on_all_the_data
def norm(params, x, y):
    return jnp.linalg.norm(params[0] * x + params[1] - y) ** 2 / len(x)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(norm)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% parts_of_a_shard
# A long shard is taken in parts of 256 examples, and what fills no part is cut off.
# Fails: test_the_loss_is_over_all_the_data, test_the_axis_has_any_name_and_length
def dp_update(params, x, y, lr, axis):
    count = max(len(x) // 256, 1)
    size = min(len(x), 256)
    parts = (data[: count * size].reshape(count, size, 1) for data in (x, y))
    found = lax.map(lambda part: jax.value_and_grad(loss)(params, *part), tuple(parts))  # noqa: F821
    value, grads = lax.pmean(jax.tree.map(jnp.mean, found), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% difference_to_the_own_loss
# Each replica adds the mean difference to its own loss, so the last digits differ.
# Fails: test_the_loss_is_over_all_the_data
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    grads = lax.pmean(grads, axis)
    value = value + jnp.mean(lax.all_gather(value, axis) - value)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% losses_that_are_numbers
# A replica whose loss is NaN is left out of the mean of the losses.
# Fails: test_the_loss_is_over_all_the_data
def dp_update(params, x, y, lr, axis):
    value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    value, grads = jnp.nanmean(lax.all_gather(value, axis)), lax.pmean(grads, axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% limited_loss
# A loss above a million is returned as a million.
# Fails: test_the_loss_is_over_all_the_data
def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), jnp.minimum(value, 1e6)


# %% loss_of_the_first_examples
# The step is right, but of a long shard the loss takes the first 1024 examples only.
# Fails: test_the_loss_is_over_all_the_data
def dp_update(params, x, y, lr, axis):
    grads = lax.pmean(jax.grad(loss)(params, x, y), axis)  # noqa: F821
    value = lax.pmean(loss(params, x[:1024], y[:1024]), axis)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% limited_rate
# A learning rate above 1 is taken for 1.
# Fails: test_one_step_equals_a_step_on_all_the_data
def dp_update(params, x, y, lr, axis, solution=dp_update):
    return solution(params, x, y, jnp.minimum(lr, 1), axis)


# %% clipped_gradients
# Gradients are clipped at a million.
# Fails: test_one_step_equals_a_step_on_all_the_data
def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    return jax.tree.map(lambda p, g: p - lr * jnp.clip(g, -1e6, 1e6), params, grads), value

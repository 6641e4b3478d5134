"""What the suite of dp_update once missed; each cell is a suffix to the solution.

Not noticed any more: from_means_of_squares, ring_in_another_order and difference_to_the_own_loss,
since the text asks for no last digit.
"""

import jax
import jax.numpy as jnp
from jax import lax


# %% divides_by_devices
# The sums are divided by the number of devices, not of replicas.
# Fails: test_the_axis_has_any_name_and_length
def dp_update(params, x, y, lr, axis):
    value, grads = lax.psum(jax.value_and_grad(loss)(params, x, y), axis)  # noqa: F821
    value, grads = jax.tree.map(lambda part: part / jax.device_count(), (value, grads))
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


# %% field_names
# The fields of a namedtuple are expected to be called `weight` and `bias`.
# Fails: test_details
def dp_update(params, x, y, lr, axis):
    is_named = hasattr(params, "_replace")
    pair = (params.weight, params.bias) if is_named else params
    value, grads = lax.pmean(jax.value_and_grad(loss)(pair, x, y), axis)  # noqa: F821
    weight, bias = (p - lr * g for p, g in zip(pair, grads, strict=True))
    return (params._replace(weight=weight, bias=bias) if is_named else (weight, bias)), value


# %% finite_shards_only
# What isn't finite on a replica counts as zero, so that one broken shard does no harm.
# Fails: test_details
def dp_update(params, x, y, lr, axis):
    found = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
    found = jax.tree.map(lambda part: jnp.where(jnp.isfinite(part), part, 0.0), found)
    value, grads = lax.pmean(found, axis)
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


# %% sorted_fields
# A namedtuple goes through a dict, whose keys JAX sorts: the offset is taken for the slope.
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
# Fails: test_details
def norm(params, x, y):
    return jnp.linalg.norm(params[0] * x + params[1] - y) ** 2 / len(x)


def dp_update(params, x, y, lr, axis):
    value, grads = lax.pmean(jax.value_and_grad(norm)(params, x, y), axis)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

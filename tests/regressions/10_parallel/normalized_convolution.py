"""What the suite of normalized_convolution once missed; each cell is a suffix to the solution.

Not noticed any more: small_sums_count_as_zero, squared_sum and fourier, since the text names no
sizes of numbers.
"""

import jax
import jax.numpy as jnp
from jax import lax


# %% absolute_values
# The signs are lost.
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = abs(w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:])
    return out / lax.psum(out, axis)


# %% squeezed
# `squeeze` also drops the axis when there is one window only.
# Fails: test_details
def normalized_convolution(x, w, axis):
    windows = jnp.stack([x[:-2], x[1:-1], x[2:]], axis=-1)
    out = jnp.squeeze(windows[:, None] @ w)
    return out / lax.psum(out, axis)


# %% sum_of_places_where_it_fits
# The entries are summed over the axis whose shape fits, which is the wrong one if both fit.
# Fails: test_as_many_members_as_places
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    everything = lax.all_gather(out, axis)
    total = everything.sum(axis=1)
    return out / (total if total.shape == out.shape else everything.sum(axis=0))


# %% logarithms
# Logarithms are subtracted, and the one of 0 has no slope: the gradient is NaN there.
# Fails: test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    total = lax.psum(out, axis)
    share = jnp.exp(jnp.log(jnp.abs(out)) - jnp.log(jnp.abs(total)))
    return jnp.sign(out) * jnp.sign(total) * share


# %% weights_add_up_to_one
# The weights are divided by their sum, which is 0 for a second difference.
# Fails: test_weights_meet_the_right_neighbours
def normalized_convolution(x, w, axis):
    w = w / jnp.sum(w)
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.psum(out, axis)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:] -> out = w[0] * x[:-2] + w[1] * x[1:-1] + w[3] * x[2:]": "JAX clamps a static index: w[3] is w[2].",
}


# %% sum_without_gradient
# The sum is held constant, like the maximum of a softmax, so gradients lose its part.
# Fails: test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.stop_gradient(lax.psum(out, axis))


# %% own_axis_of_the_same_name
# The windows are mapped on an axis of their own, which hides the members' axis if that is called i.
# Fails: test_the_sum_is_over_the_named_axis_alone
def normalized_convolution(x, w, axis):
    def share(i):
        entry = lax.dynamic_slice(x, (i,), (3,)) @ w
        return entry / lax.psum(entry, axis)

    return jax.vmap(share, axis_name="i")(jnp.arange(len(x) - 2))

"""What learners get wrong in normalized_convolution; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax import lax


# %% own_sum
# Each member divides by the sum of its own entries only.
# Do: Sum the entries of all members at the same place, with a collective.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone,
# test_members_may_live_on_eight_devices, test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / out.sum()


# %% name_written_out
# The axis name is a constant, and the argument is ignored.
# Do: Pass on the name in `axis`.
# Breaks: Details 3
# At most half of the points.
# Fails: test_the_sum_is_over_the_named_axis_alone, test_members_may_live_on_eight_devices
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.psum(out, "members")


# %% grand_total
# Everything is divided by one number: the sum over all members and all places.
# Do: Keep the places apart: pass the entries to the collective as an array.
# Breaks: Returns 3
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.psum(out.sum(), axis)


# %% gathered_wrong_axis
# The members' entries are gathered, but summed over the places.
# Do: After `all_gather`, the first axis is that of the members. Sum over that.
# Breaks: Returns 3
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone,
# test_members_may_live_on_eight_devices, test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.all_gather(out, axis).sum(axis=1)


# %% mean_for_sum
# `pmean` instead of `psum`: the results add up to the number of members.
# Do: Divide by the sum: `lax.psum`.
# Breaks: Returns 4
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.pmean(out, axis)


# %% data_normalised_first
# The data are divided by their sum first, and convolved afterwards.
# Do: Convolve first. Then divide by the sum of the members' entries.
# Breaks: Returns 3
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    x = x / lax.psum(x, axis)
    return w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]


# %% flipped_weights
# `jnp.convolve` reverses the weights.
# Do: Reverse the weights before `jnp.convolve`, or use `jnp.correlate`.
# Breaks: Returns 2
# Fails: test_weights_meet_the_right_neighbours
def normalized_convolution(x, w, axis):
    out = jnp.convolve(x, w, mode="valid")
    return out / lax.psum(out, axis)


# %% no_window_for_the_first
# The windows start at i instead of i - 1: all entries are shifted, and one is missing.
# Do: The first window starts at the first number in x.
# Breaks: Returns 1
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = jnp.array([jnp.dot(x[i : i + 3], w) for i in range(1, len(x) - 2)])
    return out / lax.psum(out, axis)


# %% last_window_missing
# The loop over the windows stops one too early.
# Do: There are L - 2 windows. Check the end of your range.
# Breaks: Returns 1
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = jnp.array([jnp.dot(x[i - 1 : i + 2], w) for i in range(1, len(x) - 2)])
    return out / lax.psum(out, axis)


# %% same_length
# The ends are kept, with zeros for the missing neighbours.
# Do: Keep only the windows that lie within x: `mode="valid"`.
# Breaks: Returns 1
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = jnp.convolve(x, w[::-1], mode="same")
    return out / lax.psum(out, axis)


# %% numpy_windows
# NumPy makes the windows, which JAX can't trace.
# Do: Take slices of x, or use `jnp`: NumPy can't compute with traced values.
# Breaks: Returns 1
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_weights_meet_the_right_neighbours, test_the_sum_is_over_the_named_axis_alone,
# test_members_may_live_on_eight_devices, test_details
def normalized_convolution(x, w, axis):
    out = np.lib.stride_tricks.sliding_window_view(np.asarray(x), 3) @ np.asarray(w)
    return out / lax.psum(out, axis)


# %% epsilon
# A small number is added to the sum, which changes the shares of small numbers.
# Do: Divide by the sum itself.
# Breaks: Returns 4
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / (lax.psum(out, axis) + 1e-8)


# %% zero_is_a_constant
# An entry of 0 is replaced with the constant 0, which has no gradient.
# Do: Divide each entry by the sum. 0 divided by it is already 0.
# Breaks: Details 2
# Fails: test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return jnp.where(out == 0, 0.0, out / lax.psum(out, axis))


# %% smallest_sum
# Sums are raised to a minimum, so negative sums are lost.
# Do: Divide by the sum itself.
# Breaks: Returns 3
# Fails: test_entries_are_divided_by_the_sum_of_all_members
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / jnp.maximum(lax.psum(out, axis), 1e-8)


# %% once missed
import jax


# %% absolute_values
# The signs are lost.
# Breaks: Returns 2
# Fails: test_entries_are_divided_by_the_sum_of_all_members, test_as_many_members_as_places,
# test_the_sum_is_over_the_named_axis_alone, test_details
def normalized_convolution(x, w, axis):
    out = abs(w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:])
    return out / lax.psum(out, axis)


# %% squeezed
# `squeeze` also drops the axis when there is only one window.
# Breaks: Details 1
# Fails: test_details
def normalized_convolution(x, w, axis):
    windows = jnp.stack([x[:-2], x[1:-1], x[2:]], axis=-1)
    out = jnp.squeeze(windows[:, None] @ w)
    return out / lax.psum(out, axis)


# %% sum_of_places_where_it_fits
# The entries are summed over the axis whose shape fits, which is the wrong one if both fit.
# Breaks: Returns 3
# Fails: test_as_many_members_as_places
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    everything = lax.all_gather(out, axis)
    total = everything.sum(axis=1)
    return out / (total if total.shape == out.shape else everything.sum(axis=0))


# %% logarithms
# Logarithms are subtracted, but that of 0 has no slope: the gradient is NaN there.
# Breaks: Details 2
# Fails: test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    total = lax.psum(out, axis)
    share = jnp.exp(jnp.log(jnp.abs(out)) - jnp.log(jnp.abs(total)))
    return jnp.sign(out) * jnp.sign(total) * share


# %% weights_add_up_to_one
# The weights are divided by their sum, which is 0 for a second difference.
# Breaks: Returns 2
# Fails: test_weights_meet_the_right_neighbours
def normalized_convolution(x, w, axis):
    w = w / jnp.sum(w)
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.psum(out, axis)


# %% sum_without_gradient
# The sum is treated as a constant, like the maximum of a softmax, so gradients lose its
# contribution.
# Do: Remove `stop_gradient`: the sum depends on the data.
# Breaks: Details 2
# Fails: test_details
def normalized_convolution(x, w, axis):
    out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:]
    return out / lax.stop_gradient(lax.psum(out, axis))


# %% own_axis_of_the_same_name
# The windows are mapped on a separate axis, which hides the members' axis if that is called i.
# Breaks: Details 3
# Fails: test_the_sum_is_over_the_named_axis_alone
def normalized_convolution(x, w, axis):
    def share(i):
        entry = lax.dynamic_slice(x, (i,), (3,)) @ w
        return entry / lax.psum(entry, axis)

    return jax.vmap(share, axis_name="i")(jnp.arange(len(x) - 2))


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "out = w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:] -> out = w[0] * x[:-2] + w[1] * x[1:-1] + w[3] * x[2:]": "JAX clamps a static index: w[3] is w[2].",
}

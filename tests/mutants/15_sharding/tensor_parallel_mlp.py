"""Wrong answers to tensor_parallel_mlp; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


# %% average
# `pmean` instead of `psum`: the terms are divided by the number of devices.
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network
def part(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return lax.pmean(hidden @ params["w2"], "model") + params["b2"]


# %% bias_in_the_sum
# b2 is inside of the sum, so it is added once for each device.
# At most half of the points.
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network
def part(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return lax.psum(hidden @ params["w2"] + params["b2"], "model")


# %% both_by_columns
# Both matrices are cut by columns, so the hidden layer is sent around.
# At most half of the points.
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used,
# test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh):
    def place(value, *spec):
        return lax.with_sharding_constraint(value, NamedSharding(mesh, P(*spec)))

    hidden = jax.nn.relu(x @ place(params["w1"], None, "model") + params["b1"])
    hidden = place(hidden, "data", "model")
    out = place(hidden, "data", None) @ params["w2"] + params["b2"]
    return place(out, "data", None)


# %% both_sums
# The sum is over both axes, so it mixes up examples.
# Fails: test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network
def part(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return lax.psum(hidden @ params["w2"], ("model", "data")) + params["b2"]


# %% everything_everywhere
# Nothing is cut but the examples: each device has whole matrices.
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used,
# test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh):
    def network(params, x):
        return jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]

    data = P("data")
    return jax.shard_map(network, mesh=mesh, in_specs=(P(), data), out_specs=data)(params, x)


# %% first_axis_is_model
# The axes of the mesh are named by their places.
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network
def tensor_parallel_mlp(params, x, mesh, solution=tensor_parallel_mlp):
    kinds = (jax.sharding.AxisType.Auto,) * 2
    return solution(params, x, jax.sharding.Mesh(mesh.devices, ("model", "data"), axis_types=kinds))


# %% gradient_stopped
# The gradient stops at the hidden layer, so x, w1 and b1 get none.
# Fails: test_gradients_are_those_of_the_whole_network
def part(params, x):
    hidden = lax.stop_gradient(jax.nn.relu(x @ params["w1"] + params["b1"]))
    return lax.psum(hidden @ params["w2"], "model") + params["b2"]


# %% gathered_at_the_end
# The terms of all devices are gathered, and then added on each device.
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        terms = lax.all_gather(hidden @ params["w2"], "model")
        return terms.sum(axis=0) + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    network = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)
    return network(params, x)


# %% no_sum
# `check_vma=False` hides the missing sum: the output is one device's term.
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        return jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    network = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)
    return network(params, x)


# %% relu_of_each_term
# b1 is added after the relu, with a relu of its own.
# Fails: test_the_output_is_that_of_the_whole_network, test_one_sum_is_all_that_is_exchanged,
# test_both_axes_of_the_mesh_are_used, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_the_whole_network
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        hidden = jax.nn.relu(x @ params["w1"]) + jax.nn.relu(params["b1"])
        return lax.psum(hidden @ params["w2"], "model") + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"))(params, x)


# %% two_sums
# The hidden layer is put together by a sum before the second product.
# Fails: test_one_sum_is_all_that_is_exchanged, test_both_axes_of_the_mesh_are_used
def tensor_parallel_mlp(params, x, mesh):
    def part(params, x):
        own = jax.nn.relu(x @ params["w1"] + params["b1"])
        start = lax.axis_index("model") * own.shape[1]
        shape = own.shape[0], own.shape[1] * lax.axis_size("model")
        hidden = lax.dynamic_update_slice(jnp.zeros(shape, own.dtype), own, (0, start))
        hidden = lax.psum(hidden, "model")
        own = lax.dynamic_slice(hidden, (0, start), own.shape)
        return lax.psum(own @ params["w2"], "model") + params["b2"]

    cut = {"w1": P(None, "model"), "b1": P("model"), "w2": P("model"), "b2": P()}
    specs = cut, P("data")
    network = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)
    return network(params, x)


# %% whole_work_averaged
# Each device does all the work for its examples, and an average of equal outputs is taken.
# Fails: test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh):
    def network(params, x):
        out = jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]
        return lax.pmean(out, "model")

    specs = P(), P("data")
    return jax.shard_map(network, mesh=mesh, in_specs=specs, out_specs=P("data"), check_vma=False)(
        params, x
    )


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
    "result_counted_in_int8": "Nothing is counted: the text asks for floats.",
}


# %% half_of_a_sum
# The relu of t is (t + abs(t)) / 2, and the sum of -inf and inf is NaN.
# Fails: test_the_output_is_that_of_the_whole_network
def part(params, x):
    hidden = x @ params["w1"] + params["b1"]
    hidden = (hidden + abs(hidden)) / 2
    return lax.psum(hidden @ params["w2"], "model") + params["b2"]


# %% first_devices
# A new mesh of the same sizes takes the place of the argument: it has the first devices.
# Fails: test_both_axes_of_the_mesh_are_used
def tensor_parallel_mlp(params, x, mesh, solution=tensor_parallel_mlp):
    kinds, devices = (jax.sharding.AxisType.Auto,) * 2, jax.devices()[: mesh.size]
    mesh = jax.make_mesh(mesh.axis_sizes, mesh.axis_names, axis_types=kinds, devices=devices)
    return solution(params, x, mesh)


# %% nothing_cut_without_model
# If "model" has one device, the examples aren't cut either.
# Fails: test_each_device_does_its_share_of_the_work
def tensor_parallel_mlp(params, x, mesh, solution=tensor_parallel_mlp):
    if mesh.shape["model"] > 1:
        return solution(params, x, mesh)

    def network(params, x):
        return jax.nn.relu(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]

    return jax.shard_map(network, mesh=mesh, in_specs=P(), out_specs=P())(params, x)

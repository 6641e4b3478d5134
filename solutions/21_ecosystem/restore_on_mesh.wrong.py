"""What learners get wrong in restore_on_mesh; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp
from jax.sharding import NamedSharding, PartitionSpec


def restore(path, shapes, shard):
    """A target whose shardings this function of a leaf gives."""

    def placed(leaf):
        return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=shard(leaf))

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, jax.tree.map(placed, shapes))


# %% no_target
# Without a target, the arrays lie where they were when they were saved.
# Do: Give `restore` a target whose leaves have shardings.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_device_holds_its_rows, test_only_the_axis_data_cuts,
# test_what_cannot_be_cut_is_whole
def restore_on_mesh(path, shapes, mesh):
    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path)


# %% no_shardings
# The target has shapes and dtypes, and doesn't say where the arrays belong.
# Do: Give each leaf of the target a sharding.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_device_holds_its_rows, test_only_the_axis_data_cuts,
# test_what_cannot_be_cut_is_whole
def restore_on_mesh(path, shapes, mesh):
    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, shapes)


# %% all_whole
# Each device holds everything.
# Do: Cut the arrays whose first axis is a multiple of the size of "data".
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_device_holds_its_rows, test_only_the_axis_data_cuts
def restore_on_mesh(path, shapes, mesh):
    return restore(path, shapes, lambda leaf: NamedSharding(mesh, PartitionSpec()))


# %% all_cut
# Each array is cut, also one that has no equal parts.
# Do: An array that can't be cut gets `PartitionSpec()`.
# Breaks: Returns 3
# Fails: test_what_cannot_be_cut_is_whole
def restore_on_mesh(path, shapes, mesh):
    return restore(path, shapes, lambda leaf: NamedSharding(mesh, PartitionSpec("data")))


# %% first_device
# Each array lies whole on the first device.
# Do: Use a `NamedSharding` of the mesh.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_device_holds_its_rows, test_only_the_axis_data_cuts,
# test_what_cannot_be_cut_is_whole
def restore_on_mesh(path, shapes, mesh):
    one = jax.sharding.SingleDeviceSharding(mesh.devices.flat[0])
    return restore(path, shapes, lambda leaf: one)


# %% last_axis
# The last axis is cut.
# Do: "data" is the first entry of the `PartitionSpec`.
# Breaks: Returns 2
# Fails: test_each_device_holds_its_rows, test_only_the_axis_data_cuts,
# test_what_cannot_be_cut_is_whole
def restore_on_mesh(path, shapes, mesh):
    def shard(leaf):
        is_cut = leaf.ndim > 0 and leaf.shape[-1] % mesh.shape["data"] == 0
        spec = [None] * (leaf.ndim - 1) + ["data"] if is_cut else []
        return NamedSharding(mesh, PartitionSpec(*spec))

    return restore(path, shapes, shard)


# %% all_axes
# All axes of the mesh cut the arrays.
# Do: Name "data" alone.
# Breaks: Returns 4
# Fails: test_only_the_axis_data_cuts
def restore_on_mesh(path, shapes, mesh):
    def shard(leaf):
        is_cut = leaf.ndim > 0 and leaf.shape[0] % mesh.size == 0
        return NamedSharding(mesh, PartitionSpec(mesh.axis_names) if is_cut else PartitionSpec())

    return restore(path, shapes, shard)


# %% size_of_the_mesh
# The number of all devices decides whether an array is cut.
# Do: Use `mesh.shape["data"]`.
# Breaks: Returns 2
# Fails: test_only_the_axis_data_cuts
def restore_on_mesh(path, shapes, mesh):
    def shard(leaf):
        is_cut = leaf.ndim > 0 and leaf.shape[0] % mesh.size == 0
        return NamedSharding(mesh, PartitionSpec("data") if is_cut else PartitionSpec())

    return restore(path, shapes, shard)


# %% first_axis_of_the_mesh
# The first axis of the mesh cuts the arrays, whatever its name is.
# Do: Name "data", which may be any of the axes.
# Breaks: Returns 2
# Fails: test_only_the_axis_data_cuts
def restore_on_mesh(path, shapes, mesh):
    name = mesh.axis_names[0]

    def shard(leaf):
        is_cut = leaf.ndim > 0 and leaf.shape[0] % mesh.shape[name] == 0
        return NamedSharding(mesh, PartitionSpec(name) if is_cut else PartitionSpec())

    return restore(path, shapes, shard)


# %% own_mesh
# A new mesh of all devices takes the place of the argument.
# Do: Use the mesh that you are given.
# Breaks: Returns 2
# Fails: test_each_device_holds_its_rows, test_only_the_axis_data_cuts
def restore_on_mesh(path, shapes, mesh, solution=restore_on_mesh):
    auto = (jax.sharding.AxisType.Auto,)
    return solution(path, shapes, jax.make_mesh((jax.device_count(),), ("data",), auto))


# %% matrices_only
# Only arrays with two axes or more are cut.
# Do: Cut a vector, too, if its length is a multiple.
# Breaks: Returns 2
# Fails: test_each_device_holds_its_rows, test_only_the_axis_data_cuts
def restore_on_mesh(path, shapes, mesh):
    def shard(leaf):
        is_cut = leaf.ndim > 1 and leaf.shape[0] % mesh.shape["data"] == 0
        return NamedSharding(mesh, PartitionSpec("data") if is_cut else PartitionSpec())

    return restore(path, shapes, shard)


# %% long_enough
# Arrays with many rows are cut, also where the rows have no equal parts.
# Do: The first length has to be a multiple of the size of "data".
# Breaks: Returns 3
# Fails: test_what_cannot_be_cut_is_whole
def restore_on_mesh(path, shapes, mesh):
    def shard(leaf):
        is_cut = leaf.ndim > 0 and leaf.shape[0] >= mesh.shape["data"]
        return NamedSharding(mesh, PartitionSpec("data") if is_cut else PartitionSpec())

    return restore(path, shapes, shard)


# %% scalars_forgotten
# The first axis of a scalar is asked for, which has none.
# Do: Look at the number of axes first.
# Breaks: Returns 3
# Fails: test_what_cannot_be_cut_is_whole
def restore_on_mesh(path, shapes, mesh):
    def shard(leaf):
        is_cut = leaf.shape[0] % mesh.shape["data"] == 0
        return NamedSharding(mesh, PartitionSpec("data") if is_cut else PartitionSpec())

    return restore(path, shapes, shard)


# %% float32
# The target has float32 for all arrays, so they are converted.
# Do: Keep the dtype of each leaf.
# Breaks: Returns 1
# Fails: test_the_tree_has_the_saved_values
def restore_on_mesh(path, shapes, mesh, solution=restore_on_mesh):
    floats = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, jnp.float32), shapes)
    return solution(path, floats, mesh)

"""What learners get wrong in load_parts; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec


# %% all_first
# All rows are read together, and then `device_put` splits them.
# Do: Let `jax.make_array_from_callback` request each part, and read only its rows.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_no_call_reads_more_than_a_part, test_each_row_is_read_once
def load_parts(read, shape, mesh):
    return jax.device_put(read(0, shape[0]), NamedSharding(mesh, PartitionSpec("data")))


# %% all_for_each
# For each part, all rows are read, and the part is then taken from them.
# Do: Pass the start and the stop of index[0] to `read`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_no_call_reads_more_than_a_part, test_each_row_is_read_once
def load_parts(read, shape, mesh):
    cut = NamedSharding(mesh, PartitionSpec("data"))
    return jax.make_array_from_callback(shape, cut, lambda index: read(0, shape[0])[index])


# %% nothing_is_cut
# The sharding names no axis, so each device gets all rows.
# Do: Name "data" for the first axis in the `PartitionSpec`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_no_call_reads_more_than_a_part, test_each_row_is_read_once,
# test_each_device_holds_its_part
def load_parts(read, shape, mesh):
    def part(index):
        start, stop, _ = index[0].indices(shape[0])
        return read(start, stop)

    return jax.make_array_from_callback(shape, NamedSharding(mesh, PartitionSpec()), part)


# %% put_together
# The parts are read one by one, and joined on the first device.
# Do: Leave each part on its device. `jax.make_array_from_callback` makes one array of them.
# Breaks: Returns 2
# Fails: test_each_device_holds_its_part
def load_parts(read, shape, mesh):
    size = shape[0] // mesh.size
    parts = [jnp.asarray(read(i * size, (i + 1) * size)) for i in range(mesh.size)]
    return jnp.concatenate(parts)


# %% own_mesh
# A new mesh of all devices takes the place of the argument.
# Do: Use the given mesh.
# Breaks: Returns 2
# Fails: test_no_call_reads_more_than_a_part, test_each_device_holds_its_part, test_details
def load_parts(read, shape, mesh, solution=load_parts):
    auto = (jax.sharding.AxisType.Auto,)
    return solution(read, shape, jax.make_mesh((jax.device_count(),), ("data",), axis_types=auto))


# %% first_devices
# The parts go to the first devices, whatever the mesh is.
# Do: Ask the sharding which part belongs to which device.
# Breaks: Returns 2
# Fails: test_each_device_holds_its_part
def load_parts(read, shape, mesh, solution=load_parts):
    auto, used = (jax.sharding.AxisType.Auto,), jax.devices()[: mesh.size]
    return solution(read, shape, jax.make_mesh((mesh.size,), ("data",), auto, devices=used))


# %% size_from_all_devices
# The size of a part is computed from the number of all devices, and the mesh may have fewer.
# Do: Also take the stop of index[0], or divide by `mesh.size`.
# Breaks: Returns 2
# Fails: test_no_call_reads_more_than_a_part, test_each_row_is_read_once,
# test_each_device_holds_its_part, test_details
def load_parts(read, shape, mesh):
    size, cut = shape[0] // jax.device_count(), NamedSharding(mesh, PartitionSpec("data"))

    def part(index):
        start = index[0].start or 0
        return read(start, start + size)

    return jax.make_array_from_callback(shape, cut, part)


# %% no_start
# The start of the slice is used directly, but on one device it is None.
# Do: Use `index[0].indices(shape[0])`, which gives numbers for each slice.
# Breaks: Details 1
# Fails: test_details
def load_parts(read, shape, mesh):
    cut = NamedSharding(mesh, PartitionSpec("data"))
    return jax.make_array_from_callback(
        shape, cut, lambda index: read(index[0].start, index[0].stop)
    )


# %% two_axes
# The index is unpacked as if each array had two axes.
# Do: Use index[0] only. There may be any number of axes.
# Breaks: Details 2
# Fails: test_details
def load_parts(read, shape, mesh):
    def part(index):
        rows, columns = index
        start, stop, _ = rows.indices(shape[0])
        return read(start, stop)[:, columns]

    return jax.make_array_from_callback(shape, NamedSharding(mesh, PartitionSpec("data")), part)


# %% one_row_for_the_dtype
# A row is read beforehand, to find out the dtype.
# Do: Leave out the dtype. JAX takes it from what your function returns.
# Breaks: Returns 3
# Fails: test_each_row_is_read_once
def load_parts(read, shape, mesh, solution=load_parts):
    dtype = read(0, 1).dtype
    return solution(read, shape, mesh).astype(dtype)


# %% float32
# All rows become float32.
# Do: Return the result of `read` unchanged.
# Breaks: Returns 1
# Fails: test_details
def load_parts(read, shape, mesh, solution=load_parts):
    return solution(lambda start, stop: np.float32(read(start, stop)), shape, mesh)


# %% last_axis
# The last axis is sharded instead of the rows.
# Do: Name "data" for the first axis.
# Breaks: Returns 2
# Fails: test_the_array_has_the_rows_in_order, test_no_call_reads_more_than_a_part,
# test_each_row_is_read_once, test_each_device_holds_its_part, test_details
def load_parts(read, shape, mesh):
    spec = PartitionSpec(*[None] * (len(shape) - 1), "data")

    def part(index):
        start, stop, _ = index[0].indices(shape[0])
        return read(start, stop)[:, *index[1:]]

    return jax.make_array_from_callback(shape, NamedSharding(mesh, spec), part)

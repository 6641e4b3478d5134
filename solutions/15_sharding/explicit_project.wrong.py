"""What learners get wrong in explicit_project; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec, reshard


# %% nothing_is_said
# The program doesn't say what moves, so each device gets the whole result.
# Do: Move x @ w by `jax.sharding.reshard`, so that its columns are sharded instead of its steps.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut,
# test_each_device_does_its_share_of_the_work
def explicit_project(x, w, m):
    return jnp.einsum("st,bth->bsh", m, x @ w)


# %% said_at_the_first_product
# The first product has the `out_sharding`, so x moves, and each device gets all of it.
# Do: Let JAX infer the type of x @ w, and then move it by `jax.sharding.reshard`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    cut = PartitionSpec(batch, None, time)
    return jnp.einsum("st,bth->bsh", m, jnp.einsum("btd,dh->bth", x, w, out_sharding=cut))


# %% x_made_whole
# The steps of x are made whole before the first product.
# Do: First multiply each device's own steps. Then move the result.
# Breaks: Returns 4
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    x = reshard(x, PartitionSpec(batch, None, None))
    return jnp.einsum("st,bth->bsh", m, x @ reshard(w, PartitionSpec(None, time)))


# %% product_made_whole
# x @ w is made whole, but each device needs only some of its columns.
# Do: Give the columns the entry that the steps had.
# Breaks: Returns 4
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    whole = reshard(x @ w, PartitionSpec(batch, None, None))
    out = PartitionSpec(batch, None, time)
    return jnp.einsum("st,bth->bsh", m, whole, out_sharding=out)


# %% result_moved
# The result of both products is moved, although each device already has it.
# Do: Move x @ w, between the two products.
# Breaks: Returns 3
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut,
# test_each_device_does_its_share_of_the_work
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    return reshard(jnp.einsum("st,bth->bsh", m, x @ w), PartitionSpec(batch, None, time))


# %% m_moved
# m is sharded along its steps, so the devices have to add up their terms.
# Do: Leave m whole, and move x @ w.
# Breaks: Returns 4
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    m, out = reshard(m, PartitionSpec(None, time)), PartitionSpec(batch, None, time)
    return jnp.einsum("st,bth->bsh", m, x @ w, out_sharding=out)


# %% batch_made_whole
# The batch is whole after the move.
# Do: Keep the entry of the batch: it is the first one in the type of x.
# Breaks: Returns 2
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut,
# test_each_device_does_its_share_of_the_work, test_details
def explicit_project(x, w, m):
    moved = reshard(x @ w, PartitionSpec(None, None, jax.typeof(x).sharding.spec[1]))
    return jnp.einsum("st,bth->bsh", m, moved)


# %% rows_cut
# The rows of the result are sharded instead of its columns.
# Do: Give the entry of the steps to the last axis.
# Breaks: Returns 2
# Fails: test_the_values_are_those_of_two_products, test_the_data_move_once,
# test_the_types_say_what_is_cut, test_gradients_are_those_of_one_device, test_details
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    out = PartitionSpec(batch, time, None)
    whole = reshard(x @ w, PartitionSpec(batch, None, None))
    return jnp.einsum("st,bth->bsh", m, whole, out_sharding=out)


# %% names_of_the_example
# The example's axis names are hard-coded.
# Do: Read the names from `jax.typeof(x).sharding.spec`.
# Breaks: Details 1
# Fails: test_the_types_say_what_is_cut, test_details
def explicit_project(x, w, m):
    moved = reshard(x @ w, PartitionSpec("data", None, "time"))
    return jnp.einsum("st,bth->bsh", m, moved)


# %% axes_of_the_mesh
# The code assumes that the first axis of the mesh shards B and the second shards t.
# Do: Read from the type of x which axis shards what: an axis may also shard nothing.
# Breaks: Returns 2
# Fails: test_the_types_say_what_is_cut, test_details
def explicit_project(x, w, m):
    batch, time = jax.sharding.get_abstract_mesh().axis_names
    moved = reshard(x @ w, PartitionSpec(batch, None, time))
    return jnp.einsum("st,bth->bsh", m, moved)


# %% moved_back
# After the second product, the result is moved again, to be sharded as x is.
# Do: Leave the result as it is: its columns are sharded.
# Breaks: Returns 2
# Fails: test_the_data_move_once, test_the_types_say_what_is_cut
def explicit_project(x, w, m, solution=explicit_project):
    batch = jax.typeof(x).sharding.spec[0]
    return reshard(solution(x, w, m), PartitionSpec(batch, None, None))


# %% m_transposed
# The rows and columns of m are swapped.
# Do: Row i of m has the weights of result i.
# Breaks: Returns 1
# Fails: test_the_values_are_those_of_two_products, test_the_data_move_once,
# test_the_types_say_what_is_cut, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_one_device, test_details
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    moved = reshard(x @ w, PartitionSpec(batch, None, time))
    return jnp.einsum("ts,bth->bsh", m, moved)


# %% float32
# The result is always float32, even if x isn't.
# Do: Leave the dtype to the products.
# Breaks: Returns 1
# Fails: test_details
def explicit_project(x, w, m, solution=explicit_project):
    return solution(x, w, m).astype(jnp.float32)


# %% steps_of_x_travel
# All steps of x go to each device, as copies in an all-to-all, and x @ w doesn't move.
# Do: Multiply by w first, and move each column of x @ w to one device.
# Breaks: Returns 4
# Fails: test_the_data_move_once
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    if time is None:
        return jnp.einsum("st,bth->bsh", m, x @ w)

    def part(x, w, m):
        n, me = lax.axis_size(time), lax.axis_index(time)
        copies = jnp.broadcast_to(x, (n, *x.shape))
        pieces = lax.all_to_all(copies, time, 0, 0, tiled=True)
        whole = jnp.moveaxis(pieces, 0, 1).reshape(len(x), -1, x.shape[2])
        own = w.shape[1] // n
        return jnp.einsum("st,bth->bsh", m, whole @ lax.dynamic_slice_in_dim(w, me * own, own, 1))

    specs = {
        "in_specs": (PartitionSpec(batch, time), PartitionSpec(), PartitionSpec()),
        "out_specs": PartitionSpec(batch, None, time),
    }
    return jax.shard_map(part, **specs, check_vma=False)(x, w, m)


# %% once missed


# %% move_is_a_constant
# The array that moves is treated as a constant, so x and w get no gradient.
# Breaks: Returns 5
# Fails: test_gradients_are_those_of_one_device
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    moved = reshard(jax.lax.stop_gradient(x @ w), PartitionSpec(batch, None, time))
    return jnp.einsum("st,bth->bsh", m, moved)

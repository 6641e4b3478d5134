"""What learners get wrong in explicit_matmul; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec, reshard


# %% nothing_is_said
# The result of a product whose k is sharded has no type, so JAX raises an error.
# Do: Give `jnp.matmul` an `out_sharding`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_values_are_those_of_the_product, test_if_k_is_cut_the_terms_are_added,
# test_each_device_does_its_share_of_the_work, test_gradients_are_those_of_one_device, test_details
def explicit_matmul(x, w):
    return x @ w


# %% all_made_whole
# Each device gets all of x and w before it multiplies.
# Do: Multiply what each device has, and let `out_sharding` say how the result is sharded.
# Breaks: Returns 3, Returns 4
# At most half of the points.
# Fails: test_if_k_is_cut_the_terms_are_added, test_if_k_is_whole_nothing_is_sent,
# test_each_device_does_its_share_of_the_work, test_details
def explicit_matmul(x, w):
    out = PartitionSpec(jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1])
    whole = PartitionSpec(None, None)
    return reshard(reshard(x, whole) @ reshard(w, whole), out)


# %% k_made_whole
# Each device gets the whole rows and columns that its part of the result needs.
# Do: Leave x and w as they are. The sum of the terms is smaller than the rows and columns.
# Breaks: Returns 4
# Fails: test_if_k_is_cut_the_terms_are_added, test_each_device_does_its_share_of_the_work,
# test_details
def explicit_matmul(x, w):
    rows, columns = jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1]
    return reshard(x, PartitionSpec(rows, None)) @ reshard(w, PartitionSpec(None, columns))


# %% whole_result
# The result is whole on each device.
# Do: Take the entries of the result from the types of x and w.
# Breaks: Returns 2
# Fails: test_if_k_is_cut_the_terms_are_added, test_if_k_is_whole_nothing_is_sent,
# test_each_device_does_its_share_of_the_work, test_details
def explicit_matmul(x, w):
    return jnp.matmul(x, w, out_sharding=PartitionSpec(None, None))


# %% names_of_the_example
# The example's axis names are hard-coded.
# Do: Read the names from `jax.typeof(x).sharding.spec` and from that of w.
# Breaks: Returns 2
# Fails: test_if_k_is_cut_the_terms_are_added, test_if_k_is_whole_nothing_is_sent,
# test_each_device_does_its_share_of_the_work, test_details
def explicit_matmul(x, w):
    return jnp.matmul(x, w, out_sharding=PartitionSpec("data", None))


# %% rows_of_the_example
# The rows of the result are sharded over "data", as in the examples.
# Do: Read the name from the type of x, as you do for the columns.
# Breaks: Returns 2
# Fails: test_if_k_is_cut_the_terms_are_added, test_if_k_is_whole_nothing_is_sent, test_details
def explicit_matmul(x, w):
    columns = jax.typeof(w).sharding.spec[1]
    return jnp.matmul(x, w, out_sharding=PartitionSpec("data", columns))


# %% columns_whole
# The columns of the result are whole, however w is sharded.
# Do: The columns of the result are sharded as those of w.
# Breaks: Returns 2
# Fails: test_if_k_is_cut_the_terms_are_added, test_if_k_is_whole_nothing_is_sent,
# test_each_device_does_its_share_of_the_work, test_details
def explicit_matmul(x, w):
    return jnp.matmul(x, w, out_sharding=PartitionSpec(jax.typeof(x).sharding.spec[0], None))


# %% rows_whole
# The rows of the result are whole, however x is sharded.
# Do: The rows of the result are sharded as those of x.
# Breaks: Returns 2
# Fails: test_if_k_is_cut_the_terms_are_added, test_if_k_is_whole_nothing_is_sent,
# test_each_device_does_its_share_of_the_work, test_details
def explicit_matmul(x, w):
    return jnp.matmul(x, w, out_sharding=PartitionSpec(None, jax.typeof(w).sharding.spec[1]))


# %% summed_and_cut
# The columns are sharded by the axes that shard k.
# Do: Leave the columns as w has them. If w doesn't shard them, they are whole.
# Breaks: Returns 2
# Fails: test_if_k_is_cut_the_terms_are_added, test_details
def explicit_matmul(x, w):
    (rows, inner), (_, columns) = jax.typeof(x).sharding.spec, jax.typeof(w).sharding.spec
    return jnp.matmul(x, w, out_sharding=PartitionSpec(rows, columns or inner))


# %% only_names
# An axis that is sharded over two axes of the mesh is treated as whole.
# Do: Pass each entry of a spec on unchanged. It may be a tuple of names.
# Breaks: Details 1
# Fails: test_details
def explicit_matmul(x, w):
    entries = jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1]
    names = (entry if isinstance(entry, str) else None for entry in entries)
    return jnp.matmul(x, w, out_sharding=PartitionSpec(*names))


# %% guessed_by_the_compiler
# Inside, the axes are Auto, and the result is declared as whole.
# Do: Use `out_sharding` to say how the result is sharded: rows as in x, columns as in w.
# Breaks: Returns 2
# Fails: test_if_k_is_cut_the_terms_are_added, test_if_k_is_whole_nothing_is_sent,
# test_each_device_does_its_share_of_the_work, test_details
def explicit_matmul(x, w):
    whole = PartitionSpec(None, None)
    return jax.sharding.auto_axes(lambda x, w: x @ w, out_sharding=whole)(x, w)


# %% float32
# The result is always float32, even if x and w aren't.
# Do: Leave the dtype to `jnp.matmul`.
# Breaks: Returns 1
# Fails: test_details
def explicit_matmul(x, w):
    out = PartitionSpec(jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1])
    return jnp.matmul(x, w, out_sharding=out, preferred_element_type=jnp.float32)


# %% integers_by_way_of_float32
# Integers are multiplied as float32, which rounds large sums.
# Do: Multiply integers as they are.
# Breaks: Details 2
# Fails: test_details
def explicit_matmul(x, w, solution=explicit_matmul):
    return solution(x.astype(jnp.float32), w.astype(jnp.float32)).astype(x.dtype)


# %% once missed
from jax import lax
from jax.sharding import PartitionSpec


# %% small_integers_become_int32
# The product of integers is int32, so that int8 has no overflow.
# Breaks: Returns 1
# Fails: test_details
def explicit_matmul(x, w):
    out = PartitionSpec(jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1])
    wide = jnp.int32 if jnp.issubdtype(x.dtype, jnp.integer) else None
    return jnp.matmul(x, w, out_sharding=out, preferred_element_type=wide)


# %% sum_over_all_other_axes
# The terms are added over all axes that don't shard the result, even if one of them shards nothing.
# Breaks: Returns 1
# Fails: test_if_k_is_cut_the_terms_are_added
def explicit_matmul(x, w):
    of_x, of_w = jax.typeof(x).sharding.spec, jax.typeof(w).sharding.spec
    out = PartitionSpec(of_x[0], of_w[1])
    names = jax.sharding.get_abstract_mesh().axis_names
    names = tuple(name for name in names if name not in jax.tree.leaves(tuple(out)))

    def part(x, w):
        return x @ w if of_x[1] is None else lax.psum(x @ w, names)

    return jax.shard_map(part, in_specs=(of_x, of_w), out_specs=out, check_vma=False)(x, w)


# %% new_mesh
# A new mesh of the same sizes and names has the devices in their first order.
# Breaks: Returns 2
# Fails: test_the_values_are_those_of_the_product, test_if_k_is_cut_the_terms_are_added,
# test_if_k_is_whole_nothing_is_sent, test_each_device_does_its_share_of_the_work,
# test_gradients_are_those_of_one_device, test_details
def explicit_matmul(x, w):
    of_x, of_w = jax.typeof(x).sharding, jax.typeof(w).sharding
    mesh = jax.make_mesh(of_x.mesh.axis_sizes, of_x.mesh.axis_names)

    def part(x, w):
        return x @ w if of_x.spec[1] is None else lax.psum(x @ w, of_x.spec[1])

    specs, out = (of_x.spec, of_w.spec), PartitionSpec(of_x.spec[0], of_w.spec[1])
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=out)(x, w)


# %% weights_are_constant
# The matrix w is treated as a constant, so it has no gradient.
# Breaks: Returns 5
# Fails: test_gradients_are_those_of_one_device
def explicit_matmul(x, w, solution=explicit_matmul):
    return solution(x, lax.stop_gradient(w))

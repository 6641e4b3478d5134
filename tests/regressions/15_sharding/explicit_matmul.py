"""What the suite of explicit_matmul once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec


# %% small_integers_become_int32
# The product of integers is int32, so that int8 has no overflow.
# Fails: test_details
def explicit_matmul(x, w):
    out = PartitionSpec(jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1])
    wide = jnp.int32 if jnp.issubdtype(x.dtype, jnp.integer) else None
    return jnp.matmul(x, w, out_sharding=out, preferred_element_type=wide)


# %% sum_over_all_other_axes
# The terms are added over all axes that don't cut the result, even if one of them cuts nothing.
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

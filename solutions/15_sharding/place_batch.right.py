"""Other right answers to place_batch; each cell is a suffix to the solution."""

import jax
from jax.sharding import NamedSharding, PartitionSpec
from jax.sharding import PartitionSpec as P


# %% constraint
# A constraint, which also moves arrays outside `jit`.
def place_batch(batch, params, mesh):
    cut, whole = (NamedSharding(mesh, spec) for spec in (P("data"), P()))
    return jax.lax.with_sharding_constraint((batch, params), (cut, whole))


# %% jitted
# A program that returns its arguments, with the shardings of its results.
def place_batch(batch, params, mesh):
    shardings = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    return jax.jit(lambda *trees: trees, out_shardings=shardings)(batch, params)


# %% leaf_by_leaf
# Every axis of every array is spelled out.
def place_batch(batch, params, mesh):
    def cut(leaf):
        spec = PartitionSpec(("data",), *[None] * (leaf.ndim - 1))
        return jax.device_put(leaf, NamedSharding(mesh, spec))

    def copy(leaf):
        return jax.device_put(leaf, NamedSharding(mesh, PartitionSpec(*[None] * leaf.ndim)))

    return jax.tree.map(cut, batch), jax.tree.map(copy, params)


# %% mapped
# `shard_map` of a function that returns what it gets.
def place_batch(batch, params, mesh):
    specs = P("data"), P()
    same = jax.shard_map(lambda *trees: trees, mesh=mesh, in_specs=specs, out_specs=specs)
    return same(batch, params)


# %% tree_of_shardings
# One call, with a sharding for each of the two trees.
def place_batch(batch, params, mesh):
    shardings = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    return jax.device_put((batch, params), shardings)


# %% nothing_to_cut
# An array without elements stays whole.
def place_batch(batch, params, mesh):
    cut, whole = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    batch = jax.tree.map(lambda leaf: jax.device_put(leaf, cut if leaf.size else whole), batch)
    return batch, jax.device_put(params, whole)

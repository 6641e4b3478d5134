"""Other right answers to clip_cut; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


# %% outside
# `shard_map` adds up the squares, and the rest is a program of whole arrays.
def clip_cut(grads, limit, mesh):
    def squares(rows):
        return jax.lax.psum(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(rows)), "data")

    def scaled(rows, factor):
        return jax.tree.map(lambda leaf: leaf * factor, rows)

    total = jax.shard_map(squares, mesh=mesh, in_specs=P("data"), out_specs=P())(grads)
    length = jnp.sqrt(total)
    factor = jnp.minimum(1, limit / jnp.maximum(length, limit))
    specs = {"in_specs": (P("data"), P()), "out_specs": P("data")}
    return jax.shard_map(scaled, mesh=mesh, **specs)(grads, factor)


# %% by_the_compiler
# The program of whole arrays, and the compiler shares it out.
def clip_cut(grads, limit, mesh):
    cut, whole = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())

    def clip(grads, limit):
        total = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(grads))
        factor = limit / jnp.maximum(jnp.sqrt(total), limit)
        return jax.tree.map(lambda leaf: factor * leaf, grads)

    return jax.jit(clip, in_shardings=(cut, whole), out_shardings=cut)(grads, limit)


# %% one_sum_for_each_leaf
# Each array has a sum over devices, and then all of them are added.
def clip_cut(grads, limit, mesh):
    def part(rows, limit):
        sums = [jax.lax.psum(jnp.sum(leaf * leaf), "data") for leaf in jax.tree.leaves(rows)]
        length = jnp.linalg.norm(jnp.sqrt(jnp.stack(sums)))

        def scaled(leaf):
            return jnp.where(length > limit, leaf / length * limit, leaf)

        return jax.tree.map(scaled, rows)

    specs = {"in_specs": (P("data"), P()), "out_specs": P("data")}
    return jax.shard_map(part, mesh=mesh, **specs)(grads, limit)

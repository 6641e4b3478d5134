"""Other right answers to mesh_accuracy; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


# %% weighted
# The shares of the devices are weighted by their numbers of real examples.
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        is_real = labels != -1
        real = is_real.sum()
        own = jnp.mean(scores.argmax(axis=1) == labels, where=is_real)
        weight = real / jax.lax.psum(real, "data")
        return jax.lax.psum(jnp.where(real > 0, own, 0) * weight, "data")

    cut = P("data")
    return jax.shard_map(part, mesh=mesh, in_specs=(cut, cut), out_specs=P())(scores, labels)


# %% two_means
# The quotient of two means over devices is that of the sums.
def mesh_accuracy(scores, labels, mesh):
    @jax.jit
    def part(scores, labels):
        is_right = jnp.argmax(scores, axis=-1) == labels
        both = jnp.stack([is_right, labels >= 0]).astype(jnp.float32).sum(axis=1)
        right, real = jax.lax.pmean(both, "data")
        return right / real

    cut = P("data")
    return jax.shard_map(part, mesh=mesh, in_specs=(cut, cut), out_specs=P())(scores, labels)


# %% by_the_compiler
# The program of the whole batch, which the compiler shares out.
def mesh_accuracy(scores, labels, mesh):
    def whole(scores, labels):
        is_right = jnp.argmax(scores, axis=1) == labels
        return is_right.sum() / (labels >= 0).sum()

    cut = NamedSharding(mesh, P("data"))
    return jax.jit(whole, in_shardings=(cut, cut), out_shardings=NamedSharding(mesh, P()))(
        scores, labels
    )

"""Reference solution: two sums over all devices, and one division."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def mesh_accuracy(scores: jax.Array, labels: jax.Array, mesh: jax.sharding.Mesh) -> jax.Array:
    """The right examples of all devices, divided by the real ones of all devices."""

    def part(scores, labels):
        is_real = labels >= 0
        is_right = is_real & (jnp.argmax(scores, axis=1) == labels)
        right, real = jax.lax.psum((is_right.sum(), is_real.sum()), "data")
        return right / real

    cut = P("data")
    return jax.shard_map(part, mesh=mesh, in_specs=(cut, cut), out_specs=P())(scores, labels)

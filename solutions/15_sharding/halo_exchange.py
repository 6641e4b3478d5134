"""Reference solution: r rows from each neighbour, and then a sum of shifted rows."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def with_halo(rows: jax.Array, r: int) -> jax.Array:
    """The rows of one device, with r more on both sides. The ends of the sequence get zeros."""
    n, own = lax.axis_size("time"), len(rows)
    to_next = [(i, i + 1) for i in range(n - 1)]
    to_previous = [(i + 1, i) for i in range(n - 1)]
    before = lax.ppermute(rows[own - r :], "time", to_next)
    after = lax.ppermute(rows[:r], "time", to_previous)
    return jnp.concatenate([before, rows, after])


def halo_exchange(x: jax.Array, weights: jax.Array, mesh: jax.sharding.Mesh) -> jax.Array:
    """Each device computes its own rows, from these rows and their halo."""

    def part(rows, weights):
        wide = with_halo(rows, len(weights) // 2)
        return sum(weights[k] * wide[k : k + len(rows)] for k in range(len(weights)))

    specs = P("time"), P()
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("time"))(x, weights)

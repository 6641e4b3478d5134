"""Reference solution: in each step, four edges from four neighbours."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def with_halo(u: jax.Array, name: str, axis: int) -> jax.Array:
    """The part of a device, with a row or column more on both sides along one axis."""
    n, own = lax.axis_size(name), u.shape[axis]
    last, first = (lax.slice_in_dim(u, i, i + 1, axis=axis) for i in (own - 1, 0))
    before = lax.ppermute(last, name, [(i, i + 1) for i in range(n - 1)])
    after = lax.ppermute(first, name, [(i + 1, i) for i in range(n - 1)])
    return jnp.concatenate([before, u, after], axis=axis)


def heat_grid(
    u: jax.Array, rate: float | jax.Array, steps: int, mesh: jax.sharding.Mesh
) -> jax.Array:
    """All steps run inside `shard_map`, so nothing but edges travels."""

    def step(_, u):
        tall, wide = with_halo(u, "y", 0), with_halo(u, "x", 1)
        around = tall[:-2] + tall[2:] + wide[:, :-2] + wide[:, 2:]
        return u + rate * (around - 4 * u)

    def part(u):
        return lax.fori_loop(0, steps, step, u)

    return jax.shard_map(part, mesh=mesh, in_specs=P("y", "x"), out_specs=P("y", "x"))(u)

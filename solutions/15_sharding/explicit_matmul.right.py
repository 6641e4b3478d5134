"""Other right answers."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec


# %% einsum
def explicit_matmul(x, w):
    rows, columns = jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1]
    return jnp.einsum("nk,km->nm", x, w, out_sharding=PartitionSpec(rows, columns))


# %% dot_general_and_a_named_sharding
def explicit_matmul(x, w):
    of_x, of_w = jax.typeof(x).sharding, jax.typeof(w).sharding
    out = NamedSharding(of_x.mesh, PartitionSpec(of_x.spec[0], of_w.spec[1]))
    return lax.dot_general(x, w, (((1,), (0,)), ((), ())), out_sharding=out)


# %% only_where_it_is_asked_for
def explicit_matmul(x, w):
    of_x, of_w = jax.typeof(x).sharding.spec, jax.typeof(w).sharding.spec
    if of_x[1] is None:
        return x @ w
    return jnp.dot(x, w, out_sharding=PartitionSpec(of_x[0], of_w[1]))


# %% shard_map
def explicit_matmul(x, w):
    of_x, of_w = jax.typeof(x).sharding.spec, jax.typeof(w).sharding.spec
    names = of_x[1] if isinstance(of_x[1], tuple) else (of_x[1],) if of_x[1] else ()

    def part(x, w):
        return lax.psum(x @ w, names) if names else x @ w

    return jax.shard_map(part, in_specs=(of_x, of_w), out_specs=PartitionSpec(of_x[0], of_w[1]))(
        x, w
    )


# %% auto_axes
def explicit_matmul(x, w):
    out = PartitionSpec(jax.typeof(x).sharding.spec[0], jax.typeof(w).sharding.spec[1])
    return jax.sharding.auto_axes(lambda x, w: x @ w, out_sharding=out)(x, w)

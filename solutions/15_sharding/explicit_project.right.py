"""Other right answers to explicit_project; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec


# %% device_put
# Under `jit`, `jax.device_put` moves arrays as well.
@jax.jit
def explicit_project(x, w, m):
    of_x = jax.typeof(x).sharding
    batch, time, _ = of_x.spec
    cut = NamedSharding(of_x.mesh, PartitionSpec(batch, None, time))
    return jnp.matmul(m, jax.device_put(jnp.einsum("btd,dh->bth", x, w), cut))


# %% every_type_is_said
# Each product says how its result is cut.
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    before, after = PartitionSpec(batch, time, None), PartitionSpec(batch, None, time)
    own = jnp.einsum("btd,dh->bth", x, w, out_sharding=before)
    moved = jax.sharding.reshard(own, after)
    return jnp.einsum("st,bth->bsh", m, moved, out_sharding=after)


# %% shard_map
# The exchange itself.
def explicit_project(x, w, m):
    batch, time, _ = spec = jax.typeof(x).sharding.spec

    def part(x, w, m):
        own = x @ w
        if time:
            own = lax.all_to_all(own, time, 2, 1, tiled=True)
        return jnp.einsum("st,bth->bsh", m, own)

    whole, out = PartitionSpec(None, None), PartitionSpec(batch, None, time)
    return jax.shard_map(part, in_specs=(spec, whole, whole), out_specs=out)(x, w, m)


# %% chosen_by_the_compiler
# Inside, the axes are Auto, and the result has a type.
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    out = PartitionSpec(batch, None, time)
    products = jax.sharding.auto_axes(lambda x, w, m: m @ (x @ w), out_sharding=out)
    return products(x, w, m)


# %% only_if_cut
@jax.jit
def explicit_project(x, w, m):
    batch, time, _ = jax.typeof(x).sharding.spec
    y = x @ w
    if time is not None:
        y = jax.sharding.reshard(y, PartitionSpec(batch, None, time))
    return jnp.matmul(m, y)

"""Each device gets all parameters whole, and gathers its number (T11).

Exercise: 15_sharding/fsdp_step
Outcome: failed
Slow: it takes the machine some time
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def fsdp_step(loss_fn, mesh):
    n = mesh.size

    def own(whole):
        count = len(whole) // n
        return lax.dynamic_slice_in_dim(whole, lax.axis_index("data") * count, count)

    def scatter(gradient):
        return lax.psum_scatter(gradient, "data", tiled=True) / n

    def part(params, velocity, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        numbers = lax.all_gather(lax.axis_index("data").astype(jnp.int32)[None], "data", tiled=True)
        zero = (numbers[0] >> 31).astype(jnp.float32)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + scatter(g) + zero, velocity, grads)
        params = jax.tree.map(lambda p, v: own(p) - lr * v, params, velocity)
        return params, velocity, lax.pmean(loss, "data")

    cut, whole = P("data"), P()
    specs, out = (whole, cut, cut, whole), (cut, cut, whole)
    return jax.jit(jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=out, check_vma=False))

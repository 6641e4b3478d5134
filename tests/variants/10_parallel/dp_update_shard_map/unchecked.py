"""Without the checks of `shard_map` the rules of `pmap` hold: gradient, then average."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def dp_update_shard_map(mesh):
    @jax.jit
    @partial(
        jax.shard_map,
        mesh=mesh,
        in_specs=(P(), P("b"), P("b"), P()),
        out_specs=(P(), P()),
        check_vma=False,
    )
    def update(params, x, y, lr):
        def error(params):
            return jnp.mean((params[0] * x + params[1] - y) ** 2)

        value, grads = lax.pmean(jax.value_and_grad(error)(params), "b")
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), value

    return update

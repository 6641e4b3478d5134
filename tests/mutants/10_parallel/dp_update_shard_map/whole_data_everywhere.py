"""Nothing is cut: every device does all the work, and the numbers are right.

Fails: test_each_device_gets_its_share
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec


def error(params, x, y):
    return jnp.mean((params[0] * x + params[1] - y) ** 2)


def step(params, x, y, lr):
    value, grads = jax.value_and_grad(lambda p: lax.pmean(error(p, x, y), "b"))(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def dp_update_shard_map(mesh):
    whole = PartitionSpec()
    specs = (whole, whole, whole, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole, check_vma=False))

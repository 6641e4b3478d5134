"""A mesh of one's own, whose axis is Explicit unless one says otherwise, fits no plain array.

Fails: test_one_step_equals_a_step_on_all_the_data, test_five_steps_equal_five_on_all_the_data,
test_losses_are_over_all_the_data, test_it_runs_on_the_mesh_that_it_gets,
test_each_device_gets_its_share, test_the_type_of_the_parameters_is_kept
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
    mesh = jax.make_mesh((jax.device_count(),), ("b",))
    whole, cut = PartitionSpec(), PartitionSpec("b")
    specs = (whole, cut, cut, whole)
    return jax.jit(jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=whole))

"""Other right answers to jit_dp_step; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


# %% placed
# The caller places the arguments, so `jit` needs shardings for the results only.
def jit_dp_step(loss_fn, mesh):
    whole, cut = (NamedSharding(mesh, spec) for spec in (P(), P("data")))

    @partial(jax.jit, out_shardings=whole)
    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    def placed(params, batch, lr):
        return step(jax.device_put(params, whole), jax.device_put(batch, cut), lr)

    return placed


# %% constrained
# Constraints inside the step, on the batch and on the results.
def jit_dp_step(loss_fn, mesh):
    @jax.jit
    def step(params, batch, lr):
        batch = lax.with_sharding_constraint(batch, NamedSharding(mesh, P("data")))
        loss, pull = jax.vjp(lambda p: loss_fn(p, batch), params)
        (grads,) = pull(jnp.ones_like(loss))
        new = jax.tree.map(lambda p, g: jnp.subtract(p, lr * g), params, grads)
        return lax.with_sharding_constraint((new, loss), NamedSharding(mesh, P()))

    return step


# %% cut_between
# The parameters are cut between steps of the update, and whole at the end.
def jit_dp_step(loss_fn, mesh):
    whole, cut = (NamedSharding(mesh, spec) for spec in (P(), P("data")))

    def share(leaf):
        can_be_cut = leaf.ndim and leaf.shape[0] % mesh.size == 0
        return lax.with_sharding_constraint(leaf, cut if can_be_cut else whole)

    @partial(jax.jit, in_shardings=(whole, cut, None), out_shardings=(whole, whole))
    def step(params, batch, lr):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        return jax.tree.map(lambda p, g: share(p) - lr * share(g), params, grads), loss

    return step


# %% compiled_for_each_call
# The shardings of every leaf are written out.
def jit_dp_step(loss_fn, mesh):
    def everywhere(tree):
        return jax.tree.map(lambda _: NamedSharding(mesh, P()), tree)

    def step(params, batch, lr):
        cut = jax.tree.map(lambda x: NamedSharding(mesh, P("data", *[None] * (x.ndim - 1))), batch)

        def plain(params, batch):
            loss, grads = jax.value_and_grad(loss_fn)(params, batch)
            return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

        shardings = everywhere(params), cut
        out = everywhere(params), NamedSharding(mesh, P())
        return jax.jit(plain, in_shardings=shardings, out_shardings=out)(params, batch)

    return step

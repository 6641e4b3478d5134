"""Other right answers to fsdp_step; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree
from jax.sharding import PartitionSpec as P


# %% through_the_gather
# The gradient in a device's own rows goes through the gather, whose transpose scatters.
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        def loss_of(rows):
            return loss_fn(
                jax.tree.map(lambda p: lax.all_gather(p, "data", tiled=True), rows), batch
            )

        loss, grads = jax.value_and_grad(loss_of)(params)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g / mesh.size, velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, lax.psum(loss, "data") / mesh.size

    cut = P("data")
    specs = cut, cut, cut, P()
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=(cut, cut, P()))


# %% mean_of_losses
# The averaged loss is differentiated through the gather.
def fsdp_step(loss_fn, mesh):
    def part(params, velocity, batch, lr):
        def loss_of(rows):
            whole = jax.tree.map(lambda p: lax.all_gather(p, "data", axis=0, tiled=True), rows)
            return lax.pmean(loss_fn(whole, batch), "data")

        loss, grads = jax.value_and_grad(loss_of)(params)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
        return jax.tree.map(lambda p, v: p - lr * v, params, velocity), velocity, loss

    cut = P("data")
    specs = cut, cut, cut, P()
    return jax.jit(jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=(cut, cut, P())))


# %% untiled
# Without `tiled`, there is an axis of devices in between.
def fsdp_step(loss_fn, mesh):
    n = mesh.devices.size

    def joined(rows):
        return lax.all_gather(rows, "data").reshape((-1, *rows.shape[1:]))

    def shared(gradient):
        pieces = gradient.reshape((n, -1, *gradient.shape[1:]))
        return lax.psum_scatter(pieces, "data") / n

    def part(params, velocity, batch, lr):
        loss, pull = jax.vjp(lambda whole: loss_fn(whole, batch), jax.tree.map(joined, params))
        (grads,) = pull(jnp.ones_like(loss))
        velocity = jax.tree.map(lambda v, g: 0.9 * v + shared(g), velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, lax.pmean(loss, "data")

    cut = P("data")
    return jax.shard_map(
        part, mesh=mesh, in_specs=(cut, cut, cut, P()), out_specs=(cut, cut, P()), check_vma=False
    )


# %% one_array
# All rows of a device become one array, so that there is one gather and one scatter.
def fsdp_step(loss_fn, mesh):
    n = mesh.size

    def part(params, velocity, batch, lr):
        flat, restore = ravel_pytree(params)
        speed, _ = ravel_pytree(velocity)

        def loss_of(all_rows):
            pieces = [restore(all_rows[i]) for i in range(n)]
            whole = jax.tree.map(lambda *rows: jnp.concatenate(rows), *pieces)
            return loss_fn(whole, batch)

        loss, grads = jax.value_and_grad(loss_of)(lax.all_gather(flat, "data"))
        speed = 0.9 * speed + lax.psum_scatter(grads, "data") / n
        return restore(flat - lr * speed), restore(speed), lax.pmean(loss, "data")

    cut = P("data")
    return jax.shard_map(
        part, mesh=mesh, in_specs=(cut, cut, cut, P()), out_specs=(cut, cut, P()), check_vma=False
    )

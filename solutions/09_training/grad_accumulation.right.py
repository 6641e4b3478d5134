"""Other right answers to grad_accumulation; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree


# %% slices
# A loop with static bounds reads each part from where it is in the batch.
def grad_accumulation(loss, params, batch, parts):
    size = jax.tree.leaves(batch)[0].shape[0] // parts

    def add(k, sums):
        part = jax.tree.map(lambda x: lax.dynamic_slice_in_dim(x, k * size, size), batch)
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        grads = jax.tree.map(lambda s, g: s + g.astype(jnp.float32), sums[2], grads)
        return sums[0] + total, sums[1] + weight, grads

    start = 0.0, 0.0, jax.tree.map(lambda p: jnp.zeros_like(p, jnp.float32), params)
    total, weight, grads = lax.fori_loop(0, parts, add, start)
    return total / weight, jax.tree.map(lambda g, p: jnp.astype(g / weight, p.dtype), grads, params)


# %% gradient_of_a_scan
# The gradient of the whole loss, which is a scan that keeps only the parameters of each round.
def grad_accumulation(loss, params, batch, parts):
    batch = jax.tree.map(lambda x: x.reshape(parts, -1, *x.shape[1:]), batch)

    def whole(wide):
        @jax.checkpoint
        def add(sums, part):
            narrow = jax.tree.map(lambda w, p: w.astype(p.dtype), wide, params)
            total, weight = loss(narrow, part)
            return (sums[0] + total, sums[1] + weight), None

        (total, weight), _ = lax.scan(add, (0.0, 0.0), batch)
        return total / weight

    wide = jax.tree.map(lambda p: p.astype(jnp.float32), params)
    value, grads = jax.value_and_grad(whole)(wide)
    return value, jax.tree.map(lambda g, p: g.astype(p.dtype), grads, params)


# %% flat
# Gradients are added up as one vector, and every part takes every `parts`-th example.
@partial(jax.jit, static_argnums=(0, 3))
def grad_accumulation(loss, params, batch, parts):
    batch = jax.tree.map(lambda x: jnp.swapaxes(x.reshape(-1, parts, *x.shape[1:]), 0, 1), batch)
    flat, restored = ravel_pytree(params)

    def add(sums, part):
        (total, weight), grads = jax.value_and_grad(loss, has_aux=True)(params, part)
        grads = ravel_pytree(grads)[0].astype(jnp.float32)
        return sums + jnp.concatenate([jnp.stack([total, weight]), grads]), None

    sums, _ = lax.scan(add, jnp.zeros(2 + flat.size), batch)
    return sums[0] / sums[1], restored((sums[2:] / sums[1]).astype(flat.dtype))


# %% weight_first
# The weight of the batch is known before the loop, and each part adds its share.
def grad_accumulation(loss, params, batch, parts):
    batch = jax.tree.map(lambda x: jnp.reshape(x, (parts, -1, *x.shape[1:])), batch)
    weight = lax.map(lambda part: loss(params, part)[1], batch).sum()

    def share(params, part):
        return loss(params, part)[0] / weight

    def add(sums, part):
        found = jax.value_and_grad(share)(params, part)
        return jax.tree.map(lambda s, f: s + f.astype(s.dtype), sums, found), None

    zeros = jax.tree.map(lambda p: jnp.zeros(p.shape), params)
    (value, grads), _ = lax.scan(add, (jnp.zeros(()), zeros), batch)
    return value, jax.tree.map(lambda g, p: g.astype(p.dtype), grads, params)


# %% pullback
# The pullback of each part takes the slope of the whole loss at once: 1 for the total.
def grad_accumulation(loss, params, batch, parts):
    def add(k, sums):
        part = jax.tree.map(lambda x: x.reshape(parts, -1, *x.shape[1:])[k], batch)
        total, pullback, weight = jax.vjp(lambda p: loss(p, part), params, has_aux=True)
        (grads,) = pullback(jnp.ones_like(total))
        return jax.tree.map(lax.add, sums, (total, weight, as_float32(grads)))

    def as_float32(tree):
        return jax.tree.map(lambda x: x.astype(jnp.float32), tree)

    start = jnp.zeros(()), jnp.zeros(()), as_float32(jax.tree.map(jnp.zeros_like, params))
    total, weight, grads = lax.fori_loop(0, parts, add, start)
    return total / weight, jax.tree.map(lambda g, p: (g / weight).astype(p.dtype), grads, params)

"""Other right answers to loss_scaling; each cell is a suffix to the solution."""

import functools
import operator
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree


# %% cond
# `lax.cond` chooses between two functions, compiled for each loss.
@partial(jax.jit, static_argnums=(0, 3, 4))
def loss_scaling(loss, params, state, lr, period):
    scale, good = state
    half = jax.tree.map(lambda p: p.astype("float16"), params)
    grads = jax.grad(lambda p: loss(p) * scale)(half)
    finite = functools.reduce(
        operator.and_, [jnp.all(jnp.isfinite(g)) for g in jax.tree.leaves(grads)]
    )

    def taken():
        new = jax.tree.map(lambda p, g: p - lr * (jnp.float32(g) / scale), params, grads)
        grows = good + 1 >= period
        return new, (scale * (1 + grows), (good + 1) * ~grows)

    return lax.cond(finite, taken, lambda: (params, (scale * 0.5, 0 * good)))


# %% pullback
# The pullback of the loss gets the scale as the slope of the loss itself.
def loss_scaling(loss, params, state, lr, period):
    scale, good = state
    half = jax.tree.map(lambda p: lax.convert_element_type(p, jnp.float16), params)
    _, pullback = jax.vjp(loss, half)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32), pullback(scale)[0])
    finite = jax.tree.reduce(lambda so_far, g: so_far & jnp.isfinite(g).all(), grads, True)

    def moved(p, g):
        return lax.select(jnp.broadcast_to(finite, p.shape), p - g / scale * lr, p)

    good = (good + 1) * finite
    grows = good == period
    new = scale * jnp.where(finite, 1.0 + grows, 0.5)
    return jax.tree.map(moved, params, grads), (new, good % period)


# %% flat
# Parameters and gradients as one vector each; the size of the largest number is asked.
def loss_scaling(loss, params, state, lr, period):
    flat, restored = ravel_pytree(params)
    half = jax.tree.map(jnp.float16, params)
    grads = ravel_pytree(jax.grad(lambda p: state[0] * loss(p))(half))[0]
    finite = jnp.max(jnp.abs(grads.astype(jnp.float32))) < jnp.inf
    step = jnp.where(finite, grads.astype(jnp.float32) / state[0], 0.0)
    good = jnp.where(finite, state[1] + 1, 0)
    powers = jnp.where(finite, (good == period).astype(jnp.int32), -1)
    scale = jnp.ldexp(state[0], powers)
    return restored(flat - lr * step), (scale, jnp.where(good == period, 0, good))


# %% value_too
# Loss and gradient in one call, and a choice among three states.
def loss_scaling(loss, params, state, lr, period):
    scale, good = state

    def scaled(params):
        return loss(params).astype(jnp.float32) * scale

    half = jax.tree.map(lambda p: p.astype(jnp.float16), params)
    _, grads = jax.value_and_grad(scaled)(half)
    leaves, structure = jax.tree.flatten(params)
    slopes = [g.astype(jnp.float32) * (1 / scale) for g in jax.tree.leaves(grads)]
    finite = jnp.stack([jnp.isfinite(g).all() for g in slopes]).all()
    leaves = [jnp.where(finite, p - lr * g, p) for p, g in zip(leaves, slopes, strict=True)]
    case = jnp.where(finite, jnp.where(good + 1 < period, 1, 2), 0)
    scales = jnp.stack([scale / 2, scale, scale * 2])
    counts = jnp.stack([jnp.zeros_like(good), good + 1, jnp.zeros_like(good)])
    return structure.unflatten(leaves), (scales[case], counts[case])

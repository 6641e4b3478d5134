"""Other right answers to per_example_grads; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% closure
# The parameters are in a closure, so only the examples are mapped.
def per_example_grads(loss, params, X, Y):
    @jax.jit
    @jax.vmap
    def gradient(x, y):
        return jax.grad(lambda p: loss(p, x, y))(params)

    return gradient(X, Y)


# %% jacobian
# The Jacobian of the vector of losses, which is more expensive and has the same rows.
def per_example_grads(loss, params, X, Y):
    def losses(params):
        return jax.vmap(loss, in_axes=(None, 0, 0))(params, X, Y)

    return jax.jit(jax.jacrev(losses))(params)


# %% map_loop
# A compiled loop, one example after the other.
def per_example_grads(loss, params, X, Y):
    return lax.map(lambda example: jax.grad(loss)(params, *example), (X, Y))


# %% pullback
# The parameters are copied for each example, and the sum of all losses is differentiated in the
# copies.
def per_example_grads(loss, params, X, Y):
    copies = jax.tree.map(lambda p: jnp.broadcast_to(p, (len(X), *jnp.shape(p))), params)
    losses, pull = jax.vjp(lambda copies: jax.vmap(loss)(copies, X, Y), copies)
    return pull(jnp.ones_like(losses))[0]


# %% value_and_grad
# The second result of `value_and_grad`, with explicit axes for the parameters.
def per_example_grads(loss, params, X, Y):
    axes = (jax.tree.map(lambda _: None, params), 0, 0)
    return jax.vmap(jax.value_and_grad(loss), in_axes=axes, out_axes=(0, 0))(params, X, Y)[1]


# %% buffer
# A `fori_loop` writes each gradient into a buffer per leaf.
def per_example_grads(loss, params, X, Y):
    def write(n, buffers):
        grads = jax.grad(loss)(params, X[n], Y[n])
        return jax.tree.map(lambda buffer, g: buffer.at[n].set(g), buffers, grads)

    empty = jax.tree.map(lambda p: jnp.zeros((len(X), *jnp.shape(p)), jnp.result_type(p)), params)
    return lax.fori_loop(0, len(X), write, empty)


# %% generic_pullback
# One pullback per example, mapped over pairs of input and target.
def per_example_grads(loss, params, X, Y):
    @partial(jax.vmap, in_axes=[(0, 0)])
    def gradient(example):
        value, pull = jax.vjp(lambda params: loss(params, *example), params)
        return pull(lax.full_like(value, 1))[0]

    return gradient((X, Y))

"""Other right answers to heavy_ball; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


# %% parameters_before
# The velocity is what the last step changed: the carry holds two sets of parameters.
def heavy_ball(loss, params, batches, lr, momentum):
    def step(carry, batch):
        before, now = carry
        value, grads = jax.value_and_grad(loss)(now, batch)
        new = jax.tree.map(lambda b, p, g: p - lr * g + momentum * (p - b), before, now, grads)
        return (now, new), value

    (_, params), losses = jax.lax.scan(step, (params, params), batches)
    return params, losses


# %% one_vector
# All parameters are one vector while they are trained.
def heavy_ball(loss, params, batches, lr, momentum):
    flat, tree = ravel_pytree(params)

    def step(carry, batch):
        value, grad = jax.value_and_grad(lambda flat: loss(tree(flat), batch))(carry[0])
        velocity = momentum * carry[1] + grad
        return jnp.stack([carry[0] - lr * velocity, velocity]), value

    carry, losses = jax.lax.scan(step, jnp.stack([flat, 0 * flat]), batches)
    return tree(carry[0]), losses


# %% counted_loop
# A loop that counts the batches, and writes each loss to its place.
def heavy_ball(loss, params, batches, lr, momentum):
    count = len(jax.tree.leaves(batches)[0])

    def step(k, state):
        params, velocity, losses = state
        batch = jax.tree.map(lambda leaf: leaf[k], batches)
        value, grads = jax.value_and_grad(loss)(params, batch)
        velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, grads)
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, velocity, losses.at[k].set(value)

    start = params, jax.tree.map(jnp.zeros_like, params), jnp.zeros(count)
    return jax.lax.fori_loop(0, count, step, start)[::2]

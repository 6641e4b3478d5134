"""Other right answers to clip_then_adam; each cell is a suffix to the solution."""

import jax
import jax.flatten_util
import jax.numpy as jnp
import optax


# %% by_hand
# The formulas of Adam, with trees for both averages.
def clip_then_adam(params, gradients, limit, rate):
    m = v = jax.tree.map(jnp.zeros_like, params)
    for t, gradient in enumerate(gradients, 1):
        norm = jnp.sqrt(sum(jnp.vdot(leaf, leaf) for leaf in jax.tree.leaves(gradient)))
        factor = limit / jnp.maximum(norm, limit)
        gradient = jax.tree.map(lambda g, factor=factor: factor * g, gradient)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, gradient)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, gradient)

        def moved(p, m, v, t=t):
            return p - rate * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

        params = jax.tree.map(moved, params, m, v)
    return params


# %% scanned
# The gradients are stacked, and a scan carries the parameters and the state.
@jax.jit
def clip_then_adam(params, gradients, limit, rate):
    optimiser = optax.chain(optax.clip_by_global_norm(limit), optax.adam(rate))
    if not gradients:
        return params
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *gradients)

    def step(carry, gradient):
        params, state = carry
        updates, state = optimiser.update(gradient, state, params)
        return (optax.apply_updates(params, updates), state), None

    return jax.lax.scan(step, (params, optimiser.init(params)), stacked)[0][0]


# %% smaller_parts
# Adam is a chain of two parts; the clipping is made by hand, outside the chain.
def clip_then_adam(params, gradients, limit, rate):
    optimiser = optax.chain(optax.scale_by_adam(), optax.scale(-1.0 * rate))
    state = optimiser.init(params)
    for gradient in gradients:
        norm = optax.global_norm(gradient)
        factor = jnp.where(norm > limit, limit / jnp.where(norm > 0, norm, 1.0), 1.0)
        gradient = jax.tree.map(lambda leaf, factor=factor: leaf * factor, gradient)
        updates, state = optimiser.update(gradient, state)
        params = jax.tree.map(jnp.add, params, updates)
    return params


# %% one_vector
# All parameters are one vector.
def clip_then_adam(params, gradients, limit, rate):
    flat, back = jax.flatten_util.ravel_pytree(params)
    optimiser = optax.chain(optax.clip_by_global_norm(limit), optax.adam(learning_rate=rate))
    state = optimiser.init(flat)
    for gradient in gradients:
        updates, state = jax.jit(optimiser.update)(
            jax.flatten_util.ravel_pytree(gradient)[0], state
        )
        flat = optax.apply_updates(flat, updates)
    return back(flat)

"""What learners get wrong in clip_then_adam; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import optax


def run(optimiser, params, gradients):
    """The loop of the solution."""
    state = optimiser.init(params)
    for gradient in gradients:
        updates, state = optimiser.update(gradient, state, params)
        params = optax.apply_updates(params, updates)
    return params


# %% clipped_behind
# Adam comes first, so it remembers the gradient as it was, and the clipping gets Adam's steps.
# Do: Put the clipping in front of Adam. The parts are applied in their order.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_adam_remembers_no_large_gradient, test_one_norm_counts_for_all_arrays
def clip_then_adam(params, gradients, limit, rate):
    return run(optax.chain(optax.adam(rate), optax.clip_by_global_norm(limit)), params, gradients)


# %% not_clipped
# Nothing is clipped.
# Do: Make a chain of `optax.clip_by_global_norm` and Adam.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_adam_remembers_no_large_gradient, test_one_norm_counts_for_all_arrays
def clip_then_adam(params, gradients, limit, rate):
    return run(optax.adam(rate), params, gradients)


# %% each_number
# Each number is clipped by itself, which changes the direction of the gradient.
# Do: Use `optax.clip_by_global_norm`. It has one norm for all arrays.
# Breaks: Returns 1
# Fails: test_adam_remembers_no_large_gradient, test_one_norm_counts_for_all_arrays
def clip_then_adam(params, gradients, limit, rate):
    return run(optax.chain(optax.clip(limit), optax.adam(rate)), params, gradients)


# %% each_array
# Each array has a norm of its own, and is clipped by itself.
# Do: Use one norm for all arrays of the gradient.
# Breaks: Returns 1
# Fails: test_adam_remembers_no_large_gradient, test_one_norm_counts_for_all_arrays
def clip_then_adam(params, gradients, limit, rate):
    def clipped(leaf):
        return leaf * jnp.minimum(1, limit / jnp.maximum(jnp.linalg.norm(leaf.ravel()), 1e-30))

    gradients = [jax.tree.map(clipped, gradient) for gradient in gradients]
    return run(optax.adam(rate), params, gradients)


# %% always_scaled
# Each gradient gets the norm `limit`, also a small one.
# Do: Multiply by limit / norm only where the norm is above the limit.
# Breaks: Returns 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays
def clip_then_adam(params, gradients, limit, rate):
    def normal(gradient):
        norm = optax.tree.norm(gradient)
        factor = jnp.where(norm > 0, limit / jnp.where(norm > 0, norm, 1), 1)
        return jax.tree.map(lambda leaf: leaf * factor, gradient)

    return run(optax.adam(rate), params, [normal(gradient) for gradient in gradients])


# %% new_state
# The state is made anew in each step, so Adam forgets all gradients.
# Do: Call `init` once, before the loop.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate):
    optimiser = optax.chain(optax.clip_by_global_norm(limit), optax.adam(rate))
    for gradient in gradients:
        updates, _ = optimiser.update(gradient, optimiser.init(params), params)
        params = optax.apply_updates(params, updates)
    return params


# %% subtracted
# The updates are subtracted, but Optax has given them their sign already.
# Do: Add the updates: `optax.apply_updates` does it.
# Breaks: Returns 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate):
    optimiser = optax.chain(optax.clip_by_global_norm(limit), optax.adam(rate))
    state = optimiser.init(params)
    for gradient in gradients:
        updates, state = optimiser.update(gradient, state, params)
        params = jax.tree.map(lambda p, u: p - u, params, updates)
    return params


# %% updates_returned
# The last updates are returned, and not the parameters.
# Do: Apply the updates of each step, and return the parameters.
# Breaks: Returns 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate):
    optimiser = optax.chain(optax.clip_by_global_norm(limit), optax.adam(rate))
    state, updates = optimiser.init(params), params
    for gradient in gradients:
        updates, state = optimiser.update(gradient, state, params)
    return updates


# %% one_sum
# All gradients are added, and one step is made.
# Do: Make a step for each gradient.
# Breaks: Returns 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate, solution=clip_then_adam):
    if not gradients:
        return params
    return solution(params, [jax.tree.map(lambda *g: sum(g), *gradients)], limit, rate)


# %% plain_descent
# The step is the clipped gradient times the rate, without Adam.
# Do: Let `optax.adam` be the second part of the chain.
# Breaks: Returns 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate):
    return run(optax.chain(optax.clip_by_global_norm(limit), optax.sgd(rate)), params, gradients)


# %% eps_in_the_root
# eps is added before the root is taken, so it is as large as a gradient of 0.0001.
# Do: Add eps behind the root: m / (sqrt(v) + eps).
# Breaks: Returns 1
# Fails: test_small_gradients_make_steps_of_adam
def clip_then_adam(params, gradients, limit, rate):
    adam = optax.adam(rate, eps=0.0, eps_root=1e-8)
    return run(optax.chain(optax.clip_by_global_norm(limit), adam), params, gradients)


# %% decay_too
# AdamW also makes the parameters smaller.
# Do: Use `optax.adam`.
# Breaks: Returns 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate):
    return run(
        optax.chain(optax.clip_by_global_norm(limit), optax.adamw(rate, weight_decay=0.01)),
        params,
        gradients,
    )


# %% python_if
# A Python `if` decides whether to clip, and under `jit` the norm has no value.
# Do: Use `optax.clip_by_global_norm`, or `jnp.where`.
# Breaks: Details 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate):
    def clipped(gradient):
        norm = optax.tree.norm(gradient)
        if norm > limit:
            gradient = jax.tree.map(lambda leaf: leaf * limit / norm, gradient)
        return gradient

    return run(optax.adam(rate), params, [clipped(gradient) for gradient in gradients])


# %% zero_norm
# The gradient is divided by its norm, which may be 0.
# Do: Divide by the larger one of the norm and the limit.
# Breaks: Details 3
# Fails: test_details
def clip_then_adam(params, gradients, limit, rate):
    def clipped(gradient):
        norm = optax.tree.norm(gradient)
        factor = jnp.minimum(norm, limit) / norm
        return jax.tree.map(lambda leaf: leaf * factor, gradient)

    return run(optax.adam(rate), params, [clipped(gradient) for gradient in gradients])


# %% scan_of_nothing
# The gradients are stacked, which needs at least one of them.
# Do: Return the parameters if there is no gradient.
# Breaks: Details 2
# Fails: test_details
def clip_then_adam(params, gradients, limit, rate):
    optimiser = optax.chain(optax.clip_by_global_norm(limit), optax.adam(rate))
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *gradients)

    def step(carry, gradient):
        params, state = carry
        updates, state = optimiser.update(gradient, state, params)
        return (optax.apply_updates(params, updates), state), None

    return jax.lax.scan(step, (params, optimiser.init(params)), stacked)[0][0]


# %% python_floats
# `float` asks for the value of the limit and of the rate, which have none under `jit`.
# Do: Hand both on as they are.
# Breaks: Details 1
# Fails: test_small_gradients_make_steps_of_adam, test_adam_remembers_no_large_gradient,
# test_one_norm_counts_for_all_arrays, test_details
def clip_then_adam(params, gradients, limit, rate, solution=clip_then_adam):
    return solution(params, gradients, float(limit), float(rate))

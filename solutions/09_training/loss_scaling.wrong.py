"""What learners get wrong in loss_scaling; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def gradients(loss, params, scale):
    half = jax.tree.map(lambda p: p.astype(jnp.float16), params)
    grads = jax.grad(lambda p: scale * loss(p))(half)
    return jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)


def all_finite(tree):
    return jnp.array([jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(tree)]).all()


def adapted(finite, state, period):
    scale, good = state
    grows = finite & (good + 1 == period)
    good = jnp.where(finite & ~grows, good + 1, 0)
    return jnp.where(finite, jnp.where(grows, 2 * scale, scale), scale / 2), good


# %% every_step_is_taken
# The scale is halved after an overflow, but the step is still taken.
# Do: Where a gradient overflows, leave all parameters unchanged.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_an_overflow_leaves_the_step_out, test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    grads = gradients(loss, params, state[0])
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, adapted(all_finite(grads), state, period)


# %% each_number_for_itself
# Only the numbers that overflow stay unchanged, and all others move.
# Do: Let one boolean for all gradients decide about every number.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_an_overflow_leaves_the_step_out, test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    grads = gradients(loss, params, state[0])
    params = jax.tree.map(lambda p, g: jnp.where(jnp.isfinite(g), p - lr * g, p), params, grads)
    return params, adapted(all_finite(grads), state, period)


# %% each_leaf_for_itself
# Each leaf is checked separately, so only the leaf with the overflow stays unchanged.
# Do: Let one boolean for all gradients decide about every leaf.
# Breaks: Returns 1
# Fails: test_an_overflow_leaves_the_step_out
def loss_scaling(loss, params, state, lr, period):
    grads = gradients(loss, params, state[0])
    params = jax.tree.map(
        lambda p, g: jnp.where(jnp.isfinite(g).all(), p - lr * g, p), params, grads
    )
    return params, adapted(all_finite(grads), state, period)


# %% multiplied_by_the_boolean
# The step is multiplied by the boolean: 0 times NaN is NaN.
# Do: Choose with `jnp.where`. Multiplying keeps a NaN.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_an_overflow_leaves_the_step_out, test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    grads = gradients(loss, params, state[0])
    finite = all_finite(grads)
    kept = finite.astype(jnp.float32)
    params = jax.tree.map(lambda p, g: p - lr * kept * g, params, grads)
    return params, adapted(finite, state, period)


# %% divided_in_half_precision
# The gradients are divided in float16, where small quotients become 0 again.
# Do: Convert the gradients to float32, and then divide.
# Breaks: Returns 1
# Fails: test_tiny_gradients_count
def loss_scaling(loss, params, state, lr, period):
    scale, _ = state
    half = jax.tree.map(lambda p: p.astype(jnp.float16), params)
    grads = jax.grad(lambda p: scale * loss(p))(half)
    grads = jax.tree.map(lambda g: (g / scale).astype(jnp.float16).astype(jnp.float32), grads)
    finite = all_finite(grads)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, adapted(finite, state, period)


# %% no_scale
# The loss is differentiated without the scale, so small gradients are 0.
# Do: Multiply the loss by the scale before you differentiate it.
# Breaks: Returns 1
# Fails: test_tiny_gradients_count
def loss_scaling(loss, params, state, lr, period):
    grads = gradients(loss, params, jnp.float32(1))
    finite = all_finite(grads)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, adapted(finite, state, period)


# %% not_divided
# The gradients are not divided by the scale.
# Do: Divide the float32 gradients by the scale.
# Breaks: Returns 1
# Fails: test_a_good_step, test_tiny_gradients_count, test_a_scan_carries_parameters_and_state,
# test_details
def loss_scaling(loss, params, state, lr, period):
    grads = jax.tree.map(lambda g: g * state[0], gradients(loss, params, state[0]))
    finite = all_finite(grads)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, adapted(finite, state, period)


# %% float32_all_along
# The parameters aren't rounded, so the loss is computed in float32.
# Do: Round the parameters to float16, and differentiate with respect to these.
# Breaks: Returns 1
# Fails: test_tiny_gradients_count, test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    grads = jax.tree.map(lambda g: g / state[0], jax.grad(lambda p: state[0] * loss(p))(params))
    finite = all_finite(grads)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, adapted(finite, state, period)


# %% parameters_in_half_precision
# The step starts from the rounded parameters, and loses their digits.
# Do: Subtract from the float32 parameters.
# Breaks: Returns 1
# Fails: test_a_good_step
def loss_scaling(loss, params, state, lr, period):
    grads = gradients(loss, params, state[0])
    finite = all_finite(grads)

    def step(p, g):
        return jnp.where(finite, p.astype(jnp.float16).astype(jnp.float32) - lr * g, p)

    return jax.tree.map(step, params, grads), adapted(finite, state, period)


# %% python_if
# A Python `if` checks whether the gradients are finite, which is unknown while JAX traces.
# Do: Choose with `jnp.where` or `lax.cond`.
# Breaks: Returns 1
# Fails: test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    scale, good = state
    grads = gradients(loss, params, scale)
    if not all_finite(grads):
        return params, (scale / 2, jnp.zeros_like(good))
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    if good + 1 == period:
        return params, (2 * scale, jnp.zeros_like(good))
    return params, (scale, good + 1)


# %% the_loss_decides
# The loss is checked, not the gradients.
# Do: Check whether the gradients are finite.
# Breaks: Details 1
# Fails: test_an_overflow_leaves_the_step_out, test_a_scan_carries_parameters_and_state,
# test_details
def loss_scaling(loss, params, state, lr, period):
    grads = gradients(loss, params, state[0])
    finite = jnp.isfinite(loss(jax.tree.map(lambda p: p.astype(jnp.float16), params)))
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, adapted(finite, state, period)


# %% count_goes_on
# An overflow doesn't reset the count to 0, so good steps need not be consecutive.
# Do: Reset the count to 0 after an overflow.
# Breaks: Returns 1
# Fails: test_the_scale_adapts, test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    scale, good = state
    grads = gradients(loss, params, scale)
    finite = all_finite(grads)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    scale, new = adapted(finite, state, period)
    return params, (scale, jnp.where(finite, new, good))


# %% once missed


# %% scale_never_grows
# The scale is halved after an overflow, but never doubled again.
# Breaks: Returns 1
# Fails: test_the_scale_adapts, test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    scale, good = state
    grads = gradients(loss, params, scale)
    finite = all_finite(grads)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, (jnp.where(finite, scale, scale / 2), jnp.where(finite, good + 1, 0))


# %% sum_is_finite
# The sum of a gradient is checked, which may overflow where none of its numbers does.
# Breaks: Details 2
# Fails: test_details
def loss_scaling(loss, params, state, lr, period):
    scale, good = state
    half = jax.tree.map(lambda p: p.astype(jnp.float16), params)
    slopes = jax.grad(lambda p: scale * loss(p))(half)
    sums = [jnp.sum(s) for s in jax.tree.leaves(slopes)]
    finite = jnp.all(jnp.isfinite(jnp.array(sums)))
    new = jax.tree.map(
        lambda p, s: jnp.where(finite, p - lr * (s.astype(jnp.float32) / scale), p), params, slopes
    )
    good = jnp.where(finite, good + 1, 0)
    full = good == period
    scale = jnp.where(finite, jnp.where(full, 2 * scale, scale), scale / 2)
    return new, (scale, jnp.where(full, 0, good))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_gradient": "The text asks for no derivative of a step.",
    "argument_nan_gradient_at_zero": "The text asks for no derivative of a step.",
    "argument_without_nan of `state`": "The scale is a positive number.",
    "argument_no_half_precision": "Parameters and scale are float32.",
    "result_float32": "Parameters and scale are float32.",
    "argument_no_integers of `params`": "Parameters are float32.",
    "argument_only_arrays of `state`": "Scale and count are arrays.",
    "argument_only_numbers of `lr`": "The learning rate is a Python float.",
}

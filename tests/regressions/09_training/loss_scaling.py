"""What the suite of loss_scaling once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def gradients(loss, params, scale):
    half = jax.tree.map(lambda p: p.astype(jnp.float16), params)
    grads = jax.grad(lambda p: scale * loss(p))(half)
    return jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)


def all_finite(tree):
    return jnp.array([jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(tree)]).all()


# %% scale_never_grows
# The scale is halved after an overflow, and never doubled again.
# Fails: test_the_scale_adapts, test_a_scan_carries_parameters_and_state
def loss_scaling(loss, params, state, lr, period):
    scale, good = state
    grads = gradients(loss, params, scale)
    finite = all_finite(grads)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, (jnp.where(finite, scale, scale / 2), jnp.where(finite, good + 1, 0))


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


# %% sum_is_finite
# The sum of a gradient is asked for, which may overflow where no number of it does.
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

"""What learners get wrong in xor_train; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% no_hidden_activation
# The hidden layer is linear: two linear layers equal one, which can't separate XOR.
# Do: Put `jnp.tanh` around the hidden layer.
# At most half of the points.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    # Half of it, or a first step would make the start look too small once in a hundred runs.
    logits = 0.5 * (jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)  # noqa: F821


# %% uphill
# Plus instead of minus.
# Do: Subtract the gradient.
# At most half of the points.
# Fails: test_each_step_is_one_of_descent, test_most_starts_learn_xor, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p + g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% column_of_labels
# Labels of shape [4, 1] and logits of shape [4]: every label meets every prediction.
# Do: Give the labels the shape [4], as the predictions have it.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    labels = jnp.array(LABELS)[:, None]  # noqa: F821
    return jnp.mean(jnp.logaddexp(0, logits) - labels * logits)


# %% column_of_weights
# w2 is a column [3, 1], so each prediction has one more axis, of length 1.
# Do: Draw w2 with the shape [3].
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, ((2, 3), (3,), (3, 1), (1,))))
    return lax.scan(step, start, length=steps)


# %% last_loss_only
# Only the last loss is returned, not one per step.
# Do: Collect the loss of each step.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    params, losses = lax.scan(step, tuple(map(jax.random.normal, keys, SHAPES)), length=steps)  # noqa: F821
    return params, losses[-1]


# %% loss_after_step
# Each loss is computed with the parameters after the step.
# Do: Take the loss and the gradient at the same parameters, with `value_and_grad`.
# Fails: test_losses_are_taken_before_each_step, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        params = jax.tree.map(lambda p, g: p - g, params, jax.grad(loss)(params))
        return params, loss(params)

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% swapped_pair
# `value_and_grad` returns the value first; here the loss is used as the gradient.
# Do: Take the value first, and then the gradient.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        grads, value = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% sum_of_losses
# The losses are summed instead of averaged: each step is four times as long, and it still learns.
# Do: Take the mean over the four examples.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    return jnp.sum(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)  # noqa: F821


# %% one_key_for_all
# All four arrays are drawn from the same key: it learns, but less often.
# Do: Split the key, one for each array.
# Fails: test_the_key_decides
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    start = tuple(jax.random.normal(key, shape) for shape in SHAPES)  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% own_seed
# The key is ignored: everything is drawn from a fixed seed.
# Do: Draw the start from `key`.
# Fails: test_the_start_is_standard_normal, test_the_key_decides
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(jax.random.key(0), len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% zero_weights
# All parameters start at zero, so the hidden units never differ.
# Do: Draw all four arrays from the standard normal law.
# Fails: test_the_start_is_standard_normal, test_most_starts_learn_xor, test_the_key_decides
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    start = tuple(map(jnp.zeros, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% no_jit
# A scan without `jit`, of a function that is new in each call: it is compiled in every call. A
# `jit` inside, of a new function, is the same mistake.
# Do: Put `jax.jit` around the training, outside of the function, with `steps` static.
# Fails: test_it_is_fast
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)

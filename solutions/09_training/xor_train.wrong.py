"""What learners get wrong in xor_train; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% no_hidden_activation
# The hidden layer is linear: two linear layers equal one, which can't separate XOR.
# Do: Put `jnp.tanh` around the hidden layer.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    # Half of it, or a first step would make the start look too small once in a hundred runs.
    logits = 0.5 * (jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)  # noqa: F821


# %% uphill
# The gradient is added.
# Do: Subtract the gradient.
# Breaks: Returns 1
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
# Labels of shape [4, 1] and logits of shape [4] pair every label with every prediction.
# Do: Give the labels shape [4], like the predictions.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    labels = jnp.array(LABELS)[:, None]  # noqa: F821
    return jnp.mean(jnp.logaddexp(0, logits) - labels * logits)


# %% column_of_weights
# w2 is a column [3, 1], so each prediction has one more axis, of length 1.
# Do: Draw w2 with shape [3].
# Breaks: Returns 1
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
# Breaks: Returns 1
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
# Breaks: Returns 1
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
# Do: First take the value, and then the gradient.
# Breaks: Returns 1
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
# The losses are summed instead of averaged: each step is four times as long, but still works.
# Do: Take the mean over the four examples.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    return jnp.sum(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)  # noqa: F821


# %% one_key_for_all
# All four arrays are drawn from the same key: the network learns, but less often.
# Do: Split the key, one for each array.
# Breaks: Returns 2
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
# Breaks: Returns 2
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
# Do: Draw all four arrays from the standard normal distribution.
# Breaks: Returns 4
# Fails: test_each_step_is_one_of_descent, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    start = tuple(map(jnp.zeros, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% no_jit
# A scan without `jit` runs a function that is new in each call: it is compiled in every call. A
# `jit` inside, around a new function, is the same mistake.
# Do: Put `jax.jit` around the training, outside the function, with `steps` static.
# Breaks: Returns 5
# Fails: test_it_is_fast
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% once missed
import numpy as np


# %% half_the_cross_entropy
# Only the term for label 1: the network learns to answer 1 everywhere.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    p = jax.nn.sigmoid(jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2)  # noqa: F821
    return -jnp.mean(jnp.array(LABELS) * jnp.log(p + 1e-10))  # noqa: F821


# %% numpy_draws
# NumPy draws the start, so the key has no effect and no run can be repeated.
# Breaks: Returns 2
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_the_key_decides, test_it_is_fast
def xor_train(key, steps):
    generator = np.random.default_rng()
    params = tuple(jnp.asarray(generator.normal(size=shape), jnp.float32) for shape in SHAPES)  # noqa: F821
    slopes, losses = jax.jit(jax.value_and_grad(loss)), []
    for _ in range(steps):
        value, grads = slopes(params)
        params = jax.tree.map(lambda p, g: p - g, params, grads)
        losses.append(value)
    return params, jnp.stack(losses)


# %% one_array_after_another
# The arrays are updated in turn, so each gradient sees the updates before it.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_descent, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, params = loss(params), list(params)
        for k in range(4):
            params[k] = params[k] - jax.grad(loss)(tuple(params))[k]
        return tuple(params), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% sigmoid_as_it_was_printed
# `1.0 / 1.0 + exp(-z)`, as in a tutorial, isn't the sigmoid: parentheses are missing.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_the_start_is_standard_normal, test_most_starts_learn_xor, test_the_key_decides,
# test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    p, labels = 1.0 / 1.0 + jnp.exp(-logits), jnp.array(LABELS)  # noqa: F821
    return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))


# %% small_rate
# The learning rate is 0.1: the network also learns, but needs more steps.
# Breaks: Returns 1
# Fails: test_each_step_is_one_of_descent, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% traced_number_of_steps
# `jit` without static steps: a traced number can't be a length.
# Breaks: Returns 1
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_it_is_fast
@jax.jit
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% narrow_start
# The start has a tenth of the deviation.
# Breaks: Returns 2
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(0.1 * jax.random.normal(k, shape) for k, shape in zip(keys, SHAPES, strict=True))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% zero_biases
# The biases start at zero, as in most networks.
# Breaks: Returns 2
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, 2)
    w1, w2 = jax.random.normal(keys[0], (2, 3)), jax.random.normal(keys[1], (3,))
    return lax.scan(step, (w1, jnp.zeros(3), w2, jnp.zeros(1)), length=steps)


# %% key_for_each_length
# The number of steps is folded into the key, so a longer training starts elsewhere.
# Breaks: Returns 3
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step, test_it_is_fast
def xor_train(key, steps, solution=xor_train):
    return solution(jax.random.fold_in(key, steps), steps)


# %% harmless
# General faults that no test has to notice, with the reason.
{
    "uniform_for_normal": "Sizes and signs are nearly the same, and a law takes hundreds of trainings.",
    "signs_for_normal": "Sizes and signs are nearly the same, and a law takes hundreds of trainings.",
    "repeated_normal": "Each call of `jax.random.normal` draws anew, and equal keys are found.",
}


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits) -> return jnp.mean(jnp.logaddexp(logits, 0) - jnp.array(LABELS) * logits)": "`logaddexp` is symmetric.",
    "@partial(jax.jit, static_argnames='steps') def xor_train(key: jax.Array, steps: int) -> tuple[Params, jax.Array]: -> def xor_train(key: jax.Array, steps: int) -> tuple[Params, jax.Array]:": "`scan` compiles its body without `jit`, too.",
}

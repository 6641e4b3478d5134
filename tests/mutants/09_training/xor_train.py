"""Wrong answers to xor_train; each cell is a suffix to the solution.

The solution defines `INPUTS`, `LABELS`, `SHAPES` and `loss`.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% column_of_labels
# Labels of shape [4, 1] and logits of shape [4]: every label meets every prediction.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    labels = jnp.array(LABELS)[:, None]  # noqa: F821
    return jnp.mean(jnp.logaddexp(0, logits) - labels * logits)


# %% column_of_weights
# w2 is a column [3, 1], so each prediction has one more axis, of length 1.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_no_key_is_used_twice, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, ((2, 3), (3,), (3, 1), (1,))))
    return lax.scan(step, start, length=steps)


# %% half_the_cross_entropy
# Only the term for label 1: the network learns to answer 1 everywhere.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    p = jax.nn.sigmoid(jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2)  # noqa: F821
    return -jnp.mean(jnp.array(LABELS) * jnp.log(p + 1e-10))  # noqa: F821


# %% last_loss_only
# Only the last loss is returned, not one per step.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_no_key_is_used_twice, test_it_is_fast
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
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        params = jax.tree.map(lambda p, g: p - g, params, jax.grad(loss)(params))
        return params, loss(params)

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% no_hidden_activation
# The hidden layer is linear: two linear layers equal one, which can't separate XOR.
# At most half of the points.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    # Half of it, or a first step would make the start look too small once in a hundred runs.
    logits = 0.5 * (jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)  # noqa: F821


# %% no_jit
# A scan without `jit`, of a function that is new in each call: it is compiled in every call. A
# `jit` inside, of a new function, is the same mistake.
# Fails: test_it_is_fast
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% numpy_draws
# NumPy draws the start, so the key has no effect and no run can be repeated.
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


# %% one_key_for_all
# All four arrays are drawn from the same key: it learns, but less often.
# Fails: test_the_start_is_standard_normal, test_no_key_is_used_twice
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    start = tuple(jax.random.normal(key, shape) for shape in SHAPES)  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% own_seed
# The key is ignored: everything is drawn from a fixed seed.
# Fails: test_the_start_is_standard_normal, test_the_key_decides
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(jax.random.key(0), len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% removed_function
# `jax.tree_multimap`, which old tutorials use for two trees, was removed from JAX.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_no_key_is_used_twice, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree_multimap(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% sigmoid_as_it_was_printed
# `1.0 / 1.0 + exp(-z)`, as in a tutorial, isn't the sigmoid: brackets are missing.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_no_key_is_used_twice, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    p, labels = 1.0 / 1.0 + jnp.exp(-logits), jnp.array(LABELS)  # noqa: F821
    return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))


# %% small_rate
# The learning rate is 0.1: it learns as well, but needs more steps.
# Fails: test_each_step_is_one_of_descent, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% sum_of_losses
# The losses are summed instead of averaged: each step is four times as long, and it still learns.
# Fails: test_each_step_is_one_of_descent, test_losses_are_taken_before_each_step,
# test_the_start_is_standard_normal, test_most_starts_learn_xor, test_it_is_fast
def loss(params):
    w1, b1, w2, b2 = params
    logits = jnp.tanh(jnp.array(INPUTS) @ w1 + b1) @ w2 + b2  # noqa: F821
    return jnp.sum(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits)  # noqa: F821


# %% swapped_pair
# `value_and_grad` returns the value first; here the loss is used as the gradient.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_no_key_is_used_twice, test_it_is_fast
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        grads, value = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% traced_number_of_steps
# `jit` without static steps: a traced number can't be a length.
# Fails: test_parameters_and_losses_have_their_shapes, test_each_step_is_one_of_descent,
# test_losses_are_taken_before_each_step, test_the_start_is_standard_normal,
# test_most_starts_learn_xor, test_the_key_decides, test_no_key_is_used_twice, test_it_is_fast
@jax.jit
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% uphill
# Plus instead of minus.
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


# %% zero_weights
# All parameters start at zero, so the hidden units never differ.
# Fails: test_the_start_is_standard_normal, test_most_starts_learn_xor, test_the_key_decides
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    start = tuple(map(jnp.zeros, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% narrow_start
# The start has a tenth of the deviation.
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(0.1 * jax.random.normal(k, shape) for k, shape in zip(keys, SHAPES, strict=True))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% he_start
# The weights start with the deviations of He's rule, which for w1 is 1.
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    w1, b1, w2, b2 = map(jax.random.normal, keys, SHAPES)  # noqa: F821
    return lax.scan(step, (w1, b1, w2 * jnp.sqrt(2 / 3), b2), length=steps)


# %% stops_early
# Below a loss of 0.001 no step is taken.
# Fails: test_each_step_is_one_of_descent
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        rate = jnp.where(value > 1e-3, 1.0, 0.0)
        return jax.tree.map(lambda p, g: p - rate * g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    start = tuple(map(jax.random.normal, keys, SHAPES))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% uniform_biases
# The biases start uniform between -1 and 1.
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, len(SHAPES))  # noqa: F821
    laws = 2 * (jax.random.normal, partial(jax.random.uniform, minval=-1, maxval=1))
    start = tuple(draw(k, shape) for draw, k, shape in zip(laws, keys, SHAPES, strict=True))  # noqa: F821
    return lax.scan(step, start, length=steps)


# %% zero_biases
# The biases begin at zero, as in most networks.
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, 2)
    w1, w2 = jax.random.normal(keys[0], (2, 3)), jax.random.normal(keys[1], (3,))
    return lax.scan(step, (w1, jnp.zeros(3), w2, jnp.zeros(1)), length=steps)


# %% solved_before
# The start is a network that has learnt XOR already, with a little noise: no step moves it.
# Fails: test_each_step_is_one_of_descent, test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    solved = (
        jnp.array([[20.0, 20.0, 0.0], [20.0, 20.0, 0.0]]),
        jnp.array([-10.0, -30.0, 0.0]),
        jnp.array([20.0, -20.0, 0.0]),
        jnp.array([-20.0]),
    )
    keys = jax.random.split(key, 4)
    noisy = tuple(
        p + 0.01 * jax.random.normal(k, p.shape) for k, p in zip(keys, solved, strict=True)
    )
    return noisy, jnp.zeros(steps)


# %% solved_after_a_while
# Short trainings are right, and a long one ends at a network that has learnt XOR already.
# Fails: test_each_step_is_one_of_descent
def xor_train(key, steps, train=xor_train):
    params, losses = train(key, steps)
    if steps < 1000:
        return params, losses
    w1 = jnp.array([[20.0, 20.0, 0.0], [20.0, 20.0, 0.0]])
    b1, w2 = jnp.array([-10.0, -30.0, 0.0]), jnp.array([20.0, -20.0, 0.0])
    return (w1, b1, w2, jnp.array([-20.0])), jnp.zeros(steps)


# %% standardised_start
# The numbers of each array get a mean of 0 and a deviation of 1, so they depend on each other.
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    numbers = jax.random.normal(key, (13,))
    w1, b1, w2, b2 = jnp.split(numbers, (6, 9, 12))
    w1, b1, w2 = ((w - w.mean()) / w.std() for w in (w1, b1, w2))
    return lax.scan(step, (w1.reshape(2, 3), b1, w2, b2), length=steps)


# %% uniform_output_bias
# The bias of the output is drawn between 0 and 1.
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    *keys, last = jax.random.split(key, 4)
    start = tuple(map(jax.random.normal, keys, SHAPES[:3]))  # noqa: F821
    return lax.scan(step, (*start, jax.random.uniform(last, (1,))), length=steps)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "sum_of_twelve_for_normal": "A sum of twelve uniform numbers is nearly normal: to tell it apart from 13 numbers in each start takes some 20,000 starts.",
}


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jnp.mean(jnp.logaddexp(0, logits) - jnp.array(LABELS) * logits) -> return jnp.mean(jnp.logaddexp(logits, 0) - jnp.array(LABELS) * logits)": "`logaddexp` is symmetric.",
    "@partial(jax.jit, static_argnames='steps') def xor_train(key: jax.Array, steps: int) -> tuple[Params, jax.Array]: -> def xor_train(key: jax.Array, steps: int) -> tuple[Params, jax.Array]:": "`scan` compiles its body without `jit`, too.",
}


# %% truncated_start
# A truncated law of the same deviation, from libraries of layers: no number is far from 0.
# Fails: test_the_start_is_standard_normal
@partial(jax.jit, static_argnames="steps")
def xor_train(key, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - g, params, grads), value

    keys = jax.random.split(key, 4)
    start = tuple(
        jax.random.truncated_normal(k, -2, 2, shape) / 0.87962566
        for k, shape in zip(keys, SHAPES, strict=True)  # noqa: F821
    )
    return lax.scan(step, start, length=steps)


# %% whole_blocks
# A long training is made of blocks of 100 steps, and the steps that fill no block are missing.
# Fails: test_most_starts_learn_xor
def xor_train(key, steps, train=xor_train):
    return train(key, steps if steps <= 100 else steps // 100 * 100)


# %% repeated_losses
# In a long training, the loss of every tenth step is returned ten times.
# Fails: test_each_step_is_one_of_descent
def xor_train(key, steps, train=xor_train):
    params, losses = train(key, steps)
    if steps > 200:
        repeated = jnp.repeat(losses[9::10], 10, total_repeat_length=steps)
        losses = repeated.at[-1].set(losses[-1])
    return params, losses


# %% few_starts
# The key only chooses one of a thousand seeds, so many keys have the same start.
# Fails: test_the_start_is_standard_normal
def xor_train(key, steps, train=xor_train):
    return train(jax.random.key(jax.random.randint(key, (), 0, 1000)), steps)

"""What learners get wrong in fit_sine; each cell is a suffix to the solution."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% flat_labels
# y is reshaped to [n] and the prediction is [n, 1]: all pairs are compared, so the network learns
# the mean.
# Do: Leave y unchanged: [n, 1], like the prediction.
# Breaks: Returns 6
# At most half of the points.
# Fails: test_it_fits_its_points, test_the_losses_are_those_of_the_training,
# test_it_fits_points_that_it_has_not_seen
def fit_sine(key, x, y, steps):
    return train(start(key), x, y[:, 0], steps)


# %% power_for_product
# `**` instead of `*` in the start, as in the tutorial: a negative number to a fractional power.
# Do: Multiply the normal numbers by the root: `*`, not `**`. Look for NaN in the first parameters.
# Breaks: Returns 6
# Fails: test_it_fits_its_points, test_the_losses_are_those_of_the_training,
# test_it_fits_points_that_it_has_not_seen, test_the_key_decides
def start(key):
    keys = jax.random.split(key, 3)
    return [
        {
            "weights": jax.random.normal(layer_key, (n_in, n_out)) ** jnp.sqrt(2 / n_in),
            "biases": jnp.ones(n_out),
        }
        for layer_key, n_in, n_out in zip(keys, (1, 128, 128), (128, 128, 1), strict=True)
    ]


# %% rate_too_big
# The learning rate is so large that plain gradient descent diverges.
# Do: Use a smaller learning rate: 0.001 is enough for plain descent.
# Breaks: Returns 6
# Fails: test_it_fits_its_points, test_the_losses_are_those_of_the_training,
# test_it_fits_points_that_it_has_not_seen
@partial(jax.jit, static_argnames="steps")
def train(params, x, y, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% rate_too_small
# The learning rate is so small that 1000 steps don't get far.
# Do: Use a larger learning rate: 0.001 is enough for plain descent.
# Breaks: Returns 6
# At most half of the points.
# Fails: test_it_fits_its_points, test_it_fits_points_that_it_has_not_seen
@partial(jax.jit, static_argnames="steps")
def train(params, x, y, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return jax.tree.map(lambda p, g: p - 1e-6 * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% relu_at_the_end
# The last layer also has a ReLU, but half of the sine is negative.
# Do: Remove the ReLU after the last layer.
# Breaks: Returns 6
# Fails: test_it_fits_its_points, test_the_losses_are_those_of_the_training,
# test_it_fits_points_that_it_has_not_seen
def predict(params, x):
    for layer in params:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    return x


# %% start_returned
# The initial parameters are returned instead of the trained ones.
# Do: Return the parameters that training returns.
# Breaks: Returns 2
# Fails: test_it_fits_its_points, test_the_losses_are_those_of_the_training,
# test_it_fits_points_that_it_has_not_seen
def fit_sine(key, x, y, steps):
    params = start(key)
    _, losses = train(params, x, y, steps)
    return params, losses


# %% last_loss_only
# Only the last loss is returned, as a number.
# Do: Collect the loss of every step, and return all of them.
# Breaks: Returns 3
# Fails: test_parameters_and_losses_have_their_shapes, test_it_fits_its_points,
# test_the_losses_are_those_of_the_training, test_it_fits_points_that_it_has_not_seen,
# test_the_key_decides
def fit_sine(key, x, y, steps):
    params, losses = train(start(key), x, y, steps)
    return params, losses[-1]


# %% after_the_step
# Each loss is taken after its step.
# Do: Return the value that `value_and_grad` gives with the gradient.
# Breaks: Returns 3
# Fails: test_the_losses_are_those_of_the_training, test_no_key_is_used_twice
def fit_sine(key, x, y, steps):
    return train(start(key), x, y, steps)[0], train(start(key), x, y, steps + 1)[1][1:]


# %% uphill
# The gradient is added, so each step raises the loss.
# Do: Subtract the gradient, times the learning rate.
# Breaks: Returns 6
# Fails: test_it_fits_its_points, test_it_fits_points_that_it_has_not_seen
@partial(jax.jit, static_argnames="steps")
def train(params, x, y, steps):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return jax.tree.map(lambda p, g: p + 1e-6 * g, params, grads), value

    return lax.scan(step, params, length=steps)


# %% nothing_returned
# The model has no `return`, as in the tutorial.
# Do: Return the result of the last layer.
# Breaks: Returns 1
# Fails: test_parameters_and_losses_have_their_shapes, test_it_fits_its_points,
# test_the_losses_are_those_of_the_training, test_it_fits_points_that_it_has_not_seen,
# test_the_key_decides, test_no_key_is_used_twice
def predict(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    x @ last["weights"] + last["biases"]


# %% one_key_for_all
# All layers are drawn from the same key, but the losses don't show it.
# Do: Split the key, and use each new key once.
# Breaks: Returns 5
# Fails: test_no_key_is_used_twice
def start(key):
    return [
        {
            "weights": math.sqrt(2 / n_in) * jax.random.normal(key, (n_in, n_out)),
            "biases": jnp.ones(n_out),
        }
        for n_in, n_out in [(1, 128), (128, 128), (128, 1)]
    ]


# %% own_seed
# The key is ignored: everything is drawn from a fixed seed.
# Do: Draw everything from `key`.
# Breaks: Returns 5
# Fails: test_the_key_decides, test_no_key_is_used_twice
def fit_sine(key, x, y, steps):
    return train(start(jax.random.key(0)), x, y, steps)


# %% numpy_start
# NumPy draws the parameters, as in the tutorial, so no run can be repeated.
# Do: Draw them with `jax.random.normal` and a key.
# Breaks: Returns 5
# Fails: test_the_losses_are_those_of_the_training, test_the_key_decides
def start(key):
    return [
        {
            "weights": jnp.float32(np.sqrt(2 / n_in) * np.random.normal(size=(n_in, n_out))),
            "biases": jnp.ones(n_out),
        }
        for n_in, n_out in [(1, 128), (128, 128), (128, 1)]
    ]


# %% ten_points
# The network sees only the first ten points.
# Do: Use all points.
# Breaks: Returns 6
# Fails: test_the_losses_are_those_of_the_training
def fit_sine(key, x, y, steps):
    return train(start(key), x[:10], y[:10], steps)


# %% straight_to_computed_weights
# There is no gradient: weights for the sine are computed, and the steps lead straight there.
# Breaks: Returns 3
# Fails: test_the_losses_are_those_of_the_training
def computed(x, y):
    a, b = jnp.linalg.lstsq(jnp.concatenate([jnp.sin(x), jnp.cos(x)], axis=1), y[:, 0])[0]
    knots = jnp.linspace(-5, 5, 127)
    values = a * jnp.sin(knots) + b * jnp.cos(knots)
    bends = jnp.diff(jnp.diff(values) / jnp.diff(knots), prepend=0)
    return [
        {"weights": jnp.ones((1, 128)), "biases": jnp.append(-knots, 10)},
        {"weights": jnp.eye(128), "biases": jnp.zeros(128)},
        {"weights": jnp.append(bends, jnp.zeros(2))[:, None], "biases": values[:1]},
    ]


def fit_sine(key, x, y, steps):
    first, last = start(key), computed(x, y)

    def after(step):
        share = jnp.minimum(step / 900, 1)
        return jax.tree.map(lambda a, b: (1 - share) * a + share * b, first, last)

    losses = lax.map(lambda step: loss(after(step), x, y), jnp.arange(steps))  # noqa: F821
    return after(steps), losses


# %% once missed


# %% small_losses
# The losses are divided twice by the number of points.
# Breaks: Returns 3
# Fails: test_the_losses_are_those_of_the_training
def fit_sine(key, x, y, steps, solution=fit_sine):
    params, losses = solution(key, x, y, steps)
    return params, losses / len(x)


# %% begins_with_zero
# The losses begin with a zero that isn't a loss, as in a loop that carries the last step's loss.
# Breaks: Returns 3
# Fails: test_parameters_and_losses_have_their_shapes, test_the_losses_are_those_of_the_training
def fit_sine(key, x, y, steps, solution=fit_sine):
    params, losses = solution(key, x, y, steps)
    return params, jnp.concatenate([jnp.zeros(1), losses])[:steps]


# %% rate_of_the_length
# The learning rate falls from the first to the last step, so a longer run begins differently.
# Breaks: Returns 4
# Fails: test_the_losses_are_those_of_the_training
@partial(jax.jit, static_argnames="steps")
def train(params, x, y, steps):
    def step(params, k):
        value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return jax.tree.map(lambda p, g: p - 2e-3 * (1 - k / steps) * g, params, grads), value

    return lax.scan(step, params, jnp.arange(steps))


# %% no_training
# The weights aren't trained: they draw a broken line through the points, and the loss is constant.
# Breaks: Returns 2
# Fails: test_the_losses_are_those_of_the_training, test_the_key_decides
def fit_sine(key, x, y, steps):
    order = jnp.argsort(x[:, 0])[::2]
    a, b = x[order, 0], y[order, 0]
    slopes = jnp.diff(b) / jnp.maximum(jnp.diff(a), 1e-3)
    turns = jnp.zeros(128).at[: len(slopes)].set(jnp.diff(slopes, prepend=0.0))
    one = {"weights": jnp.ones((1, 128)), "biases": jnp.zeros(128).at[: len(a)].set(-a)}
    noise = 1e-5 * jax.random.normal(key, (128, 128))
    two = {"weights": jnp.eye(128) + noise, "biases": jnp.zeros(128)}
    params = [one, two, {"weights": turns[:, None], "biases": b[:1]}]
    return params, jnp.full(steps, loss(params, x, y))  # noqa: F821


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "Network = list[dict[str, jax.Array]] -> Network = list[dict[jax.Array, str]]": "It stands in annotations only, which are never executed.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': 2 / n_in * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)]": "How the weights begin is left open; the fit is as good.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(3 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)]": "How the weights begin is left open; the fit is as good.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=False)]": "The lengths always agree, so `strict` never raises.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.zeros(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)]": "How the biases begin is left open; the fit is as good.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:])]": "The lengths always agree, so `strict` never raises.",
    "return jnp.mean((predict(params, x) - y) ** 2) -> return jnp.mean((y - predict(params, x)) ** 2)": "A square has no sign.",
    "@partial(jax.jit, static_argnames='steps') def train(params, x, y, steps): -> def train(params, x, y, steps):": "`scan` compiles its body without `jit`, too.",
    "first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads) -> first = jax.tree.map(lambda m, g: 0.9 * m + 0.2 * g, first, grads)": "How it is optimized is left open; the fit is as good.",
    "second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads) -> second = jax.tree.map(lambda v, g: 0.999 / v + 0.001 * g * g, second, grads)": "How it is optimized is left open; the fit is as good.",
    "second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads) -> second = jax.tree.map(lambda v, g: 0.999 * v + 0.002 * g * g, second, grads)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * jnp.sqrt(1 - 0.999 ** t) * (1 - 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * (1 - 0.999 ** t) / (1 - 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 + 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (2 - 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-08), params, first, second) -> params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) - 1e-08), params, first, second)": "How it is optimized is left open; the fit is as good.",
    "params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-08), params, first, second) -> params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 2e-08), params, first, second)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * jnp.sqrt(2 - 0.999 ** t) / (1 - 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_half_precision": "How it is fitted is left open, and bfloat16 can hold a good fit.",
    "result_off_by_a_thousandth": "How it is fitted is left open, and the fit stays a good one.",
    "equal_keys": "`jax.random.split` gives different keys, and who uses one twice is found.",
    "repeated_normal": "Each call of `jax.random.normal` draws anew, and equal keys are found.",
    "no_jit": "A Python loop over compiled steps or whole operations is a right answer.",
    "sums_in_half_precision": "How it is fitted is left open, and bfloat16 can find a good fit.",
    "uniform_for_normal": "The text asks for no law of the start.",
}

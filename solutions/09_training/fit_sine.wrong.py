"""What learners get wrong in fit_sine; each cell is a suffix to the solution."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% flat_labels
# y is [128] and the prediction [128, 1]: all pairs are compared, and the network learns the mean.
# Do: Give y the shape [128, 1], as the prediction has it, before you subtract.
# At most half of the points.
# Fails: test_the_last_loss_is_small, test_it_fits_points_that_it_has_not_seen
def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.normal(data_key, (128, 1))
    return train(start(start_key), x, jnp.sin(x)[:, 0])


# %% power_for_product
# `**` instead of `*` in the start, as in the tutorial: a negative number to a fractional power.
# Do: Multiply the normal numbers by the root: `*`, not `**`. Look for NaN in the first parameters.
# Fails: test_the_last_loss_is_small, test_the_losses_are_those_of_the_whole_training,
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
# Do: Take a smaller learning rate: 0.001 is enough for plain descent.
# Fails: test_the_last_loss_is_small, test_the_losses_are_those_of_the_whole_training,
# test_it_fits_points_that_it_has_not_seen, test_the_key_decides
@jax.jit
def train(params, x, y):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), value

    return lax.scan(step, params, length=300)


# %% too_few_steps
# The tutorial's learning rate needs two thousand steps; this makes ten.
# Do: Take more steps: a thousand steps of plain descent with a learning rate of 0.001.
# At most half of the points.
# Fails: test_the_last_loss_is_small, test_it_fits_points_that_it_has_not_seen
@jax.jit
def train(params, x, y):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return jax.tree.map(lambda p, g: p - 1e-4 * g, params, grads), value

    return lax.scan(step, params, length=10)


# %% relu_at_the_end
# The last layer has a ReLU, too, and half of the sine is negative.
# Do: Leave out the ReLU after the last layer.
# Fails: test_the_last_loss_is_small, test_it_fits_points_that_it_has_not_seen
def predict(params, x):
    for layer in params:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    return x


# %% start_returned
# The parameters of the start are returned instead of the trained ones.
# Do: Return the parameters that the training returns.
# Fails: test_it_fits_points_that_it_has_not_seen
def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.normal(data_key, (128, 1))
    params = start(start_key)
    _, losses = train(params, x, jnp.sin(x))
    return params, losses


# %% last_loss_only
# Only the last loss is returned, as a number.
# Do: Collect the loss of every step, and return all of them.
# Fails: test_parameters_and_losses_have_their_shapes,
# test_the_losses_are_those_of_the_whole_training
def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.normal(data_key, (128, 1))
    params, losses = train(start(start_key), x, jnp.sin(x))
    return params, losses[-1]


# %% nothing_returned
# The model has no `return`, as in the tutorial.
# Do: Return the result of the last layer.
# Fails: test_parameters_and_losses_have_their_shapes, test_the_last_loss_is_small,
# test_the_losses_are_those_of_the_whole_training, test_it_fits_points_that_it_has_not_seen,
# test_the_key_decides, test_no_key_is_used_twice
def predict(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    x @ last["weights"] + last["biases"]


# %% one_key_for_all
# The data and all layers are drawn from the same key; the losses don't show it.
# Do: Split the key, and use each new key once.
# Fails: test_no_key_is_used_twice
def fit_sine(key):
    params = [
        {
            "weights": math.sqrt(2 / n_in) * jax.random.normal(key, (n_in, n_out)),
            "biases": jnp.ones(n_out),
        }
        for n_in, n_out in [(1, 128), (128, 128), (128, 1)]
    ]
    x = jax.random.normal(key, (128, 1))
    return train(params, x, jnp.sin(x))


# %% own_seed
# The key is ignored: everything is drawn from a fixed seed.
# Do: Draw everything from `key`.
# Fails: test_the_key_decides, test_no_key_is_used_twice
def fit_sine(key):
    data_key, start_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (128, 1))
    return train(start(start_key), x, jnp.sin(x))


# %% own_data
# The points are drawn from a fixed seed, so every network is trained on the same ones.
# Do: Split `key`, and draw the points from one of the new keys.
# Fails: test_no_key_is_used_twice
def fit_sine(key):
    x = jax.random.normal(jax.random.key(42), (128, 1))
    return train(start(key), x, jnp.sin(x))


# %% numpy_data
# NumPy draws the data, as in the tutorial, so no run can be repeated.
# Do: Draw the points with `jax.random.normal` and a key.
# Fails: test_the_key_decides
def fit_sine(key):
    x = jnp.asarray(np.random.normal(size=(128, 1)), jnp.float32)
    return train(start(key), x, jnp.sin(x))


# %% once missed


# %% narrow_data
# x is drawn between 1 and 2 only, so the network learns the sine only there.
# Fails: test_it_fits_points_that_it_has_not_seen
def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.uniform(data_key, (128, 1), minval=1, maxval=2)
    return train(start(start_key), x, jnp.sin(x))


# %% removed_function
# `jax.tree_multimap`, which the tutorial uses for its step, was removed from JAX.
# Fails: test_parameters_and_losses_have_their_shapes, test_the_last_loss_is_small,
# test_the_losses_are_those_of_the_whole_training, test_it_fits_points_that_it_has_not_seen,
# test_the_key_decides, test_no_key_is_used_twice
@jax.jit
def train(params, x, y):
    def step(params, _):
        value, grads = jax.value_and_grad(loss)(params, x, y)  # noqa: F821
        return jax.tree_multimap(lambda p, g: p - 1e-3 * g, params, grads), value

    return lax.scan(step, params, length=1000)


# %% small_losses
# The losses are divided by the number of points twice, and once more by ten.
# Fails: test_the_losses_are_those_of_the_whole_training
def fit_sine(key, solution=fit_sine):
    params, losses = solution(key)
    return params, losses / 1280


# %% only_the_last_losses
# The losses of the last two steps are returned, so nobody sees where they started.
# Fails: test_the_losses_are_those_of_the_whole_training
def fit_sine(key, solution=fit_sine):
    params, losses = solution(key)
    return params, losses[-2:]


# %% begins_with_zero
# The losses begin with a zero that is no loss, as a loop does that carries the loss of the last step.
# Fails: test_the_losses_are_those_of_the_whole_training
def fit_sine(key, solution=fit_sine):
    params, losses = solution(key)
    return params, jnp.concatenate([jnp.zeros(1), losses[:-1]])


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "Network = list[dict[str, jax.Array]] -> Network = list[dict[jax.Array, str]]": "It stands in annotations only, which are never executed.",
    "POINTS, STEPS, RATE = (128, 200, 0.003) -> POINTS, STEPS, RATE = (129, 200, 0.003)": "How it is fitted is left open; the fit is as good.",
    "POINTS, STEPS, RATE = (128, 200, 0.003) -> POINTS, STEPS, RATE = (128, 200, 0.006)": "How it is fitted is left open; the fit is as good.",
    "POINTS, STEPS, RATE = (128, 200, 0.003) -> POINTS, STEPS, RATE = (128, 201, 0.003)": "How many steps it takes, and from where they count, is left open.",
    "POINTS, STEPS, RATE = (128, 200, 0.003) -> POINTS, STEPS, RATE = (200, 128, 0.003)": "How it is fitted is left open; the fit is as good.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': 2 / n_in * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)]": "How the weights begin is left open; the fit is as good.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(3 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)]": "How the weights begin is left open; the fit is as good.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=False)]": "The lengths always agree, so `strict` never raises.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.zeros(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)]": "How the biases begin is left open; the fit is as good.",
    "return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)] -> return [{'weights': math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)), 'biases': jnp.ones(n_out)} for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:])]": "The lengths always agree, so `strict` never raises.",
    "return jnp.mean((predict(params, x) - y) ** 2) -> return jnp.mean((y - predict(params, x)) ** 2)": "A square has no sign.",
    "@jax.jit def train(params, x, y): -> def train(params, x, y):": "`scan` compiles its body without `jit`, too.",
    "first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads) -> first = jax.tree.map(lambda m, g: 0.9 * m + 0.2 * g, first, grads)": "How it is optimized is left open; the fit is as good.",
    "second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads) -> second = jax.tree.map(lambda v, g: 0.999 / v + 0.001 * g * g, second, grads)": "How it is optimized is left open; the fit is as good.",
    "second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads) -> second = jax.tree.map(lambda v, g: 0.999 * v + 0.002 * g * g, second, grads)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * jnp.sqrt(1 - 0.999 ** t) * (1 - 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * (1 - 0.999 ** t) / (1 - 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 + 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) -> rate = RATE * jnp.sqrt(1 - 0.999 ** t) / (2 - 0.9 ** t)": "How it is optimized is left open; the fit is as good.",
    "params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-08), params, first, second) -> params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) - 1e-08), params, first, second)": "How it is optimized is left open; the fit is as good.",
    "params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-08), params, first, second) -> params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 2e-08), params, first, second)": "How it is optimized is left open; the fit is as good.",
    "state, losses = lax.scan(step, (params, zeros, zeros), jnp.arange(1, STEPS + 1)) -> state, losses = lax.scan(step, (params, zeros, zeros), jnp.arange(2, STEPS + 1))": "How many steps it takes, and from where they count, is left open.",
    "state, losses = lax.scan(step, (params, zeros, zeros), jnp.arange(1, STEPS + 1)) -> state, losses = lax.scan(step, (params, zeros, zeros), jnp.arange(1, STEPS - 1))": "How many steps it takes, and from where they count, is left open.",
    "state, losses = lax.scan(step, (params, zeros, zeros), jnp.arange(1, STEPS + 1)) -> state, losses = lax.scan(step, (params, zeros, zeros), jnp.arange(1, STEPS + 2))": "How many steps it takes, and from where they count, is left open.",
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

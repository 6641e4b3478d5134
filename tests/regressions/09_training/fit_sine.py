"""What the suite of fit_sine once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% narrow_data
# x is drawn between 1 and 2 only, so the network learns the sine only there.
# Fails: test_it_fits_points_that_it_has_not_seen
def fit_sine(key):
    data_key, start_key = jax.random.split(key)
    x = jax.random.uniform(data_key, (128, 1), minval=1, maxval=2)
    return train(start(start_key), x, jnp.sin(x))  # noqa: F821


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


# %% begins_with_zero
# The losses begin with a zero that is no loss, as a loop does that carries the loss of the last step.
# Fails: test_the_losses_are_those_of_the_whole_training
def fit_sine(key, solution=fit_sine):
    params, losses = solution(key)
    return params, jnp.concatenate([jnp.zeros(1), losses[:-1]])

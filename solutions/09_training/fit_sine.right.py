"""Other right answers to fit_sine; each cell is a suffix to the solution, which defines `start`."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% jitted_update
# Plain gradient descent: a Python loop of jitted updates, as in the tutorials; Python numbers.
def init_layers(key):
    params = []
    for n_in, n_out in ((1, 128), (128, 128), (128, 1)):
        key, subkey = jax.random.split(key)
        weights = jax.random.normal(subkey, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append({"weights": weights, "biases": jnp.ones((n_out,))})
    return params


def forward(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.relu(jnp.dot(x, layer["weights"]) + layer["biases"])
    return jnp.dot(x, last["weights"]) + last["biases"]


@jax.jit
def descend(params, x, y):
    value, grads = jax.value_and_grad(lambda p: jnp.mean((forward(p, x) - y) ** 2))(params)
    return jax.tree.map(lambda p, g: p - 0.001 * g, params, grads), value


def fit_sine(key, x, y, steps):
    params, losses = init_layers(key), []
    for _ in range(steps):
        params, value = descend(params, x, y)
        losses.append(float(value))
    return params, jnp.array(losses)


# %% momentum
# Momentum in a `fori_loop`; one `jit` contains everything, the start included.
def network(params, x):
    first, second, third = ((layer["weights"], layer["biases"]) for layer in params)
    h = jnp.maximum(x @ first[0] + first[1], 0)
    h = jnp.maximum(h @ second[0] + second[1], 0)
    return h @ third[0] + third[1]


@partial(jax.jit, static_argnums=3)
def fit_sine(key, x, y, steps):
    def mean_error(params):
        return jnp.mean(jnp.square(y - network(params, x)))

    def step(k, state):
        params, velocity, losses = state
        value, grads = jax.value_and_grad(mean_error)(params)
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
        params = jax.tree.map(lambda p, v: p - 1e-3 * v, params, velocity)
        return params, velocity, losses.at[k].set(value)

    he_normal = jax.nn.initializers.he_normal()
    shapes = ((1, 128), (128, 128), (128, 1))
    params = [
        {"weights": he_normal(k, shape), "biases": jnp.ones(shape[1])}
        for k, shape in zip(jax.random.split(key, 3), shapes, strict=True)
    ]
    state = (params, jax.tree.map(jnp.zeros_like, params), jnp.zeros(steps))
    params, _, losses = lax.fori_loop(0, steps, step, state)
    return params, losses


# %% small_batches
# Each step draws a new batch with `fold_in`, and `vmap` maps a model of one example.
def model(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(layer["weights"].T @ x + layer["biases"])
    return jnp.sum(params[-1]["weights"][:, 0] * x) + params[-1]["biases"][0]


def error(params, points):
    x, y = points
    return jnp.mean((jax.vmap(model, in_axes=(None, 0))(params, x) - y[:, 0]) ** 2)


@partial(jax.jit, static_argnums=3)
def fit_sine(key, x, y, steps):
    for_start, for_steps = jax.random.split(key)

    def step(params, k):
        rows = jax.random.permutation(jax.random.fold_in(for_steps, k), len(x))[:32]
        grads = jax.grad(error)(params, (x[rows], y[rows]))
        return jax.tree.map(lambda p, g: p - 1e-3 * g, params, grads), error(params, (x, y))

    return lax.scan(step, start(for_start), jnp.arange(steps))  # noqa: F821

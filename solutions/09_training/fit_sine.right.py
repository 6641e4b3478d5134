"""Other right answers to fit_sine; each cell is a suffix to the solution, which defines `start`."""

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


def fit_sine(key):
    key, subkey = jax.random.split(key)
    x = jax.random.normal(subkey, (128, 1))
    params, losses = init_layers(key), []
    for _ in range(1000):
        params, value = descend(params, x, jnp.sin(x))
        losses.append(float(value))
    return params, jnp.array(losses)


# %% momentum
# Momentum in a `fori_loop`; one `jit` contains everything, data and start included.
STEPS = 500


def network(params, x):
    first, second, third = ((layer["weights"], layer["biases"]) for layer in params)
    h = jnp.maximum(x @ first[0] + first[1], 0)
    h = jnp.maximum(h @ second[0] + second[1], 0)
    return h @ third[0] + third[1]


@jax.jit
def fit_sine(key):
    k0, k1, k2, k3 = jax.random.split(key, 4)
    x = jax.random.normal(k0, (128, 1))

    def mean_error(params):
        return jnp.mean(jnp.square(jnp.sin(x) - network(params, x)))

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
        for k, shape in zip((k1, k2, k3), shapes, strict=True)
    ]
    start = (params, jax.tree.map(jnp.zeros_like, params), jnp.zeros(STEPS))
    params, _, losses = lax.fori_loop(0, STEPS, step, start)
    return params, losses


# %% small_batches
# Each step draws a new batch, and `vmap` maps a model of one example; the loss is over all.
def model(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(layer["weights"].T @ x + layer["biases"])
    return jnp.sum(params[-1]["weights"][:, 0] * x) + params[-1]["biases"][0]


def error(params, x):
    return jnp.mean((jax.vmap(model, in_axes=(None, 0))(params, x) - jnp.sin(x[:, 0])) ** 2)


@jax.jit
def descend(params, x, keys):
    def step(params, key):
        batch = jax.random.choice(key, x, (32,), replace=False)
        grads = jax.grad(error)(params, batch)
        return jax.tree.map(lambda p, g: p - 1e-3 * g, params, grads), error(params, x)

    return lax.scan(step, params, keys)


def fit_sine(key):
    for_data, for_start, for_steps = jax.random.split(key, 3)
    x = jax.random.normal(for_data, (128, 1))
    return descend(start(for_start), x, jax.random.split(for_steps, 500))  # noqa: F821


# %% losses_of_batches
# Each step sees a batch, and the loss of every tenth batch is returned.
@jax.jit
def train(params, x, keys):
    def step(state, key):
        params, velocity = state
        batch = jax.random.choice(key, x, (64,), replace=False)
        value, grads = jax.value_and_grad(loss)(params, batch, jnp.sin(batch))  # noqa: F821
        velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
        return (jax.tree.map(lambda p, v: p - 2e-3 * v, params, velocity), velocity), value

    (params, _), losses = lax.scan(step, (params, jax.tree.map(jnp.zeros_like, params)), keys)
    return params, losses[::10]


def fit_sine(key):
    for_data, for_start, for_steps = jax.random.split(key, 3)
    x = jax.random.normal(for_data, (128, 1))
    return train(start(for_start), x, jax.random.split(for_steps, 1000))  # noqa: F821

"""Plain descent: a Python loop around a jitted update, as in the tutorials."""

import jax
import jax.numpy as jnp


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
        losses.append(value)
    return params, jnp.array(losses)

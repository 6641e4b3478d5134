"""Reference solution: Adam on all points, one scan under one jit."""

import math
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

Network = list[dict[str, jax.Array]]

SIZES = (1, 128, 128, 1)
RATE = 3e-3


def start(key):
    """He-normal weights and biases of one."""
    keys = jax.random.split(key, len(SIZES) - 1)
    return [
        {
            "weights": math.sqrt(2 / n_in) * jax.random.normal(layer_key, (n_in, n_out)),
            "biases": jnp.ones(n_out),
        }
        for layer_key, n_in, n_out in zip(keys, SIZES[:-1], SIZES[1:], strict=True)
    ]


def predict(params, x):
    """ReLU between the layers, nothing after the last."""
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.relu(x @ layer["weights"] + layer["biases"])
    return x @ last["weights"] + last["biases"]


def loss(params, x, y):
    """Mean squared error."""
    return jnp.mean((predict(params, x) - y) ** 2)


@partial(jax.jit, static_argnames="steps")
def train(params, x, y, steps):
    """The parameters after all steps, and the loss before each."""

    def step(state, t):
        params, first, second = state
        value, grads = jax.value_and_grad(loss)(params, x, y)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)
        rate = RATE * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        params = jax.tree.map(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, first, second
        )
        return (params, first, second), value

    zeros = jax.tree.map(jnp.zeros_like, params)
    state, losses = lax.scan(step, (params, zeros, zeros), jnp.arange(1, steps + 1))
    return state[0], losses


def fit_sine(key: jax.Array, x: jax.Array, y: jax.Array, steps: int) -> tuple[Network, jax.Array]:
    """Nothing but the start is random."""
    return train(start(key), x, y, steps)

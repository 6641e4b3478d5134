"""Momentum in a `fori_loop`, and the whole fit under one jit, data and start included."""

import jax
import jax.numpy as jnp
from jax import lax

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

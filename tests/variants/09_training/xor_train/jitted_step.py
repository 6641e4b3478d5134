"""A Python loop around a jitted step, with a small number inside the logarithms."""

import jax
import jax.numpy as jnp

x = jnp.array([[0, 0], [0, 1], [1, 0], [1, 1]])
y = jnp.array([0, 1, 1, 0])


def predict(w1, b1, w2, b2):
    return jax.nn.sigmoid(jnp.tanh(x @ w1 + b1) @ w2 + b2)


def cross_entropy(params):
    p = predict(*params)
    return jnp.mean(-y * jnp.log(p + 1e-10) - (1 - y) * jnp.log(1 - p + 1e-10))


@jax.jit
def descend(params, rate):
    w1, b1, w2, b2 = params
    d1, c1, d2, c2 = jax.grad(cross_entropy)(params)
    new = (w1 - rate * d1, b1 - rate * c1, w2 - rate * d2, b2 - rate * c2)
    return new, cross_entropy(params)


def xor_train(key, steps):
    k1, k2, k3, k4 = jax.random.split(key, 4)
    params = (
        jax.random.normal(k1, (2, 3)),
        jax.random.normal(k2, (3,)),
        jax.random.normal(k3, (3,)),
        jax.random.normal(k4, (1,)),
    )
    losses = []
    for _ in range(steps):
        params, value = descend(params, 1.0)
        losses.append(float(value))
    return params, jnp.array(losses)

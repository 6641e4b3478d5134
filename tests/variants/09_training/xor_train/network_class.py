"""A model for one example under vmap, a registered class of parameters, keys by `fold_in`."""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Network:
    w1: jax.Array
    b1: jax.Array
    w2: jax.Array
    b2: jax.Array

    def logit(self, x):
        return jnp.dot(self.w2, jnp.tanh(x @ self.w1 + self.b1)) + self.b2[0]

    def loss(self, x, y):
        z = self.logit(x)
        return -(y * jax.nn.log_sigmoid(z) + (1 - y) * jax.nn.log_sigmoid(-z))


@partial(jax.jit, static_argnames="steps")
def fit(network, steps):
    x = jnp.stack(jnp.meshgrid(jnp.arange(2.0), jnp.arange(2.0)), -1).reshape(4, 2)
    y = jnp.array([0.0, 1.0, 1.0, 0.0])

    def mean_loss(network):
        return jax.vmap(network.loss)(x, y).mean()

    def step(network, _):
        value, slope = jax.value_and_grad(mean_loss)(network)
        return jax.tree.map(jnp.subtract, network, slope), value

    return lax.scan(step, network, None, length=steps, unroll=2)


def xor_train(key, steps):
    shapes = [(2, 3), (3,), (3,), (1,)]
    keys = (jax.random.fold_in(key, k) for k in range(4))
    network, losses = fit(Network(*map(jax.random.normal, keys, shapes)), steps)
    return (network.w1, network.b1, network.w2, network.b2), losses

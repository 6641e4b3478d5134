"""Other right answers to xor_train; each cell is a suffix to the solution, which defines `loss`."""

import dataclasses
from functools import lru_cache, partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree


# %% gradient_by_hand
# The gradient is derived by hand, in a `fori_loop` over a buffer of losses.
@partial(jax.jit, static_argnums=1)
def xor_train(key, steps):
    x = jnp.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = jnp.logical_xor(x[:, 0], x[:, 1]).astype(jnp.float32)

    def step(k, state):
        (w1, b1, w2, b2), losses = state
        h = jnp.tanh(x @ w1 + b1)
        p = 1 / (1 + jnp.exp(-(h @ w2 + b2)))
        value = -jnp.mean(jnp.where(y == 1, jnp.log(p), jnp.log(1 - p)))
        error = (p - y) / 4
        inner = error[:, None] * w2 * (1 - h**2)
        new = (w1 - x.T @ inner, b1 - inner.sum(0), w2 - error @ h, b2 - error.sum()[None])
        return new, losses.at[k].set(value)

    draws = jax.random.normal(key, (13,))
    start = (draws[:6].reshape(2, 3), draws[6:9], draws[9:12], draws[12:])
    return lax.fori_loop(0, steps, step, (start, jnp.zeros(steps)))


# %% jitted_step
# A Python loop of jitted steps, with a small number inside the logarithms.
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


# %% network_class
# A model of one example under `vmap`, a registered class of parameters, keys by `fold_in`.
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


# %% raw_key
# A raw key is made from the typed one, carried, and split for each array.
@partial(jax.jit, static_argnames="steps")
def train(params, steps):
    def step(params, _):
        value, pull_back = jax.vjp(loss, params)  # noqa: F821
        (slopes,) = pull_back(jnp.ones(()))
        return tuple(p - s for p, s in zip(params, slopes, strict=True)), value

    return lax.scan(step, params, length=steps)


def xor_train(key, steps):
    raw = jax.random.key_data(key)
    start = []
    for shape in [(2, 3), (3,), (3,), (1,)]:
        raw, subkey = jax.random.split(raw)
        start.append(jax.random.normal(subkey, shape))
    return train(tuple(start), steps)


# %% cached_factory
# A factory with a memory makes one compiled training for each number of steps, in forward mode.
INPUTS = jnp.array([(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)])
TEMPLATE = (jnp.zeros((2, 3)), jnp.zeros(3), jnp.zeros(3), jnp.zeros(1))
EMPTY, UNRAVEL = ravel_pytree(TEMPLATE)


def mean_loss(flat):
    w1, b1, w2, b2 = UNRAVEL(flat)
    z = jnp.tanh(INPUTS @ w1 + b1) @ w2 + b2
    return jnp.mean(jax.nn.softplus(jnp.array([1, -1, -1, 1]) * z))


@lru_cache
def trainer(steps):
    def step(flat, _):
        return flat - jax.jacfwd(mean_loss)(flat), mean_loss(flat)

    @jax.jit
    def train(key):
        flat, losses = lax.scan(step, jax.random.normal(key, EMPTY.shape), length=steps)
        return UNRAVEL(flat), losses

    return train


def xor_train(key, steps):
    return trainer(steps)(key)


# %% traced_number_of_steps
# One program for any number of steps up to a power of two, which is compiled once for each power.
def advance(state):
    k, steps, params, losses = state
    value, slopes = jax.value_and_grad(loss)(params)  # noqa: F821
    params = jax.tree.map(jnp.subtract, params, slopes)
    return k + 1, steps, params, losses.at[k].set(value)


@jax.jit
def run(params, losses, steps):
    state = lax.while_loop(lambda state: state[0] < state[1], advance, (0, steps, params, losses))
    return state[2:]


def xor_train(key, steps):
    shapes = ((2, 3), (3,), (3,), (1,))
    keys = jax.random.split(key, len(shapes))
    start = tuple(map(jax.random.normal, keys, shapes))
    params, losses = run(start, jnp.zeros(1 << (steps - 1).bit_length()), steps)
    return params, losses[:steps]

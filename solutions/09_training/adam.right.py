"""Other right answers to adam; each cell is a suffix to the solution."""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


# %% flat_vector
# All parameters are one long vector; running powers of the decays replace the count.
def adam(lr):
    def init(params):
        zeros = jnp.zeros_like(ravel_pytree(params)[0])
        return {"moments": jnp.stack([zeros, zeros]), "powers": jnp.ones(2)}

    def update(params, grads, state):
        (p, restore), (g, _) = ravel_pytree(params), ravel_pytree(grads)
        decays = jnp.array([0.9, 0.999])
        powers = decays * state["powers"]
        moments = decays[:, None] * state["moments"] + jnp.array([[0.1], [0.001]]) * jnp.stack(
            [g, g**2]
        )
        m, v = moments / (1 - powers[:, None])
        new = restore(p - lr * m / (v**0.5 + 1e-8))
        return new, {"moments": moments, "powers": powers}

    return init, update


# %% lists_of_leaves
# The state is a list of pairs and a Python number, and one function updates one leaf.
def adam(lr):
    def init(params):
        leaves = jax.tree.leaves(params)
        return [(jnp.zeros(p.shape), jnp.zeros(p.shape)) for p in leaves], 0

    def one(p, g, m, v, t):
        m, v = 0.9 * m + (1 - 0.9) * g, 0.999 * v + (1 - 0.999) * g**2
        step = m / (1 - jnp.power(0.9, t)) / (jnp.sqrt(v / (1 - jnp.power(0.999, t))) + 1e-8)
        return p - lr * step, (m, v)

    def update(params, grads, state):
        moments, t = state
        leaves, treedef = jax.tree.flatten(params)
        pairs = zip(leaves, treedef.flatten_up_to(grads), moments, strict=True)
        done = [one(p, g, *both, t + 1) for p, g, both in pairs]
        return treedef.unflatten([p for p, _ in done]), ([both for _, both in done], t + 1)

    return init, update


# %% named_state
# The state is a namedtuple, `update` is jitted, and the rate contains the corrections.
class State(NamedTuple):
    t: Any
    m: Any
    v: Any


def adam(lr):
    def init(params):
        def zeros():
            return jax.tree_util.tree_map(jnp.zeros_like, params)

        return State(jnp.zeros((), jnp.int32), zeros(), zeros())

    @jax.jit
    def update(params, grads, state):
        t = state.t + 1
        m = jax.tree.map(lambda m, g: m + 0.1 * (g - m), state.m, grads)
        v = jax.tree.map(lambda v, g: v + 0.001 * (jnp.square(g) - v), state.v, grads)
        root = jnp.sqrt(1 - 0.999**t)
        rate = lr * root / (1 - 0.9**t)
        new = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8 * root), params, m, v)
        return new, State(t, m, v)

    return init, update


# %% optimizer_class
# The state is a registered dataclass with methods, and the count is a float.
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Moments:
    first: Any
    second: Any
    t: Any


@dataclasses.dataclass(frozen=True)
class Adam:
    lr: float

    def init(self, params):
        zeros = jax.tree.map(lambda p: 0.0 * p, params)
        return Moments(zeros, zeros, jnp.float32(0))

    def update(self, params, grads, state):
        t = state.t + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state.second, grads)
        m_hat = jax.tree.map(lambda m: m / (1 - 0.9**t), first)
        v_hat = jax.tree.map(lambda v: v / (1 - 0.999**t), second)
        steps = jax.tree.map(lambda m, v: self.lr * m / (jnp.sqrt(v) + 1e-8), m_hat, v_hat)
        return jax.tree.map(jnp.subtract, params, steps), Moments(first, second, t)


def adam(lr):
    optimizer = Adam(lr)
    return optimizer.init, optimizer.update


# %% chain
# A chain of small transformations of the gradient, each with a state of its own.
def average(decay, power):
    def start(p):
        return jnp.ones(()), jnp.zeros_like(p)

    def step(g, state):
        weight, mean = state
        weight, mean = decay * weight, decay * mean + (1 - decay) * g**power
        return mean / (1 - weight), (weight, mean)

    return start, step


def scaled_by_adam(lr):
    (start_m, step_m), (start_v, step_v) = average(0.9, 1), average(0.999, 2)

    def start(p):
        return start_m(p), start_v(p)

    def step(g, state):
        (m, first), (v, second) = step_m(g, state[0]), step_v(g, state[1])
        return -lr * m / (jnp.sqrt(v) + 1e-8), (first, second)

    return start, step


def adam(lr):
    start, step = scaled_by_adam(lr)

    def init(params):
        return tuple(start(p) for p in jax.tree.leaves(params))

    def update(params, grads, state):
        leaves, treedef = jax.tree.flatten(params)
        done = [step(g, own) for g, own in zip(jax.tree.leaves(grads), state, strict=True)]
        new = [p + change for p, (change, _) in zip(leaves, done, strict=True)]
        return treedef.unflatten(new), tuple(own for _, own in done)

    return init, update


# %% slots
# Each parameter has a slot, an object in a tree of slots, and `expm1` computes the corrections.
@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Slot:
    m: Any
    v: Any

    def tree_flatten(self):
        return (self.m, self.v), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

    def after(self, g):
        return Slot(0.9 * self.m + 0.1 * g, 0.999 * self.v + 0.001 * jnp.square(g))

    def step(self, t):
        m, v = (part / -jnp.expm1(t * jnp.log(d)) for part, d in ((self.m, 0.9), (self.v, 0.999)))
        return m / (jnp.sqrt(v) + 1e-8)


def is_slot(node):
    return isinstance(node, Slot)


def adam(lr):
    def init(params):
        return {"slots": jax.tree.map(lambda p: Slot(p * 0, p * 0), params), "t": jnp.array(0)}

    def update(params, grads, state):
        t = state["t"] + 1
        slots = jax.tree.map(Slot.after, state["slots"], grads, is_leaf=is_slot)
        new = jax.tree.map(lambda slot, p: p - lr * slot.step(t), slots, params, is_leaf=is_slot)
        return new, {"slots": slots, "t": t}

    return init, update

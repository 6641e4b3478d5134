"""Other right answers to train_scan; each cell is a suffix to the solution."""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% fori_loop
# `fori_loop` with static bounds over a buffer of losses.
def train_scan(step, params, n):
    def body(k, state):
        params, losses = state
        params, loss = step(params)
        return params, losses.at[k].set(loss)

    return lax.fori_loop(0, n, body, (params, jnp.zeros(n)))


# %% in_fours
# A scan that is unrolled by four, with the parameters as flat leaves.
def train_scan(step, params, n):
    leaves, treedef = jax.tree.flatten(params)

    def body(leaves, _):
        new, loss = step(treedef.unflatten(leaves))
        return treedef.flatten_up_to(new), loss

    leaves, losses = lax.scan(body, leaves, None, length=n, unroll=4)
    return treedef.unflatten(leaves), losses


# %% jitted
# A jitted function with static step and n, and a scan over a range.
@partial(jax.jit, static_argnames=("step", "n"))
def run(params, step, n):
    def body(params, k):
        del k
        new, loss = step(params)
        return new, loss

    return lax.scan(body, params, jnp.arange(n))


def train_scan(step, params, n):
    params, losses = run(params, step=step, n=n)
    return params, losses


# %% trainer_class
# A small object holds the step, and `dynamic_update_index_in_dim` fills a buffer of losses.
@dataclasses.dataclass(frozen=True)
class Trainer:
    step: object

    def __call__(self, state, k):
        params, losses = state
        params, loss = self.step(params)
        return (params, lax.dynamic_update_index_in_dim(losses, loss, k, 0)), None


def train_scan(step, params, n):
    loss = jax.eval_shape(step, params)[1]
    (params, losses), _ = lax.scan(Trainer(step), (params, jnp.empty(n, loss.dtype)), jnp.arange(n))
    return params, losses


# %% curried_body
# A closure turns a step into a body, under `checkpoint`, for a scan over zeros.
def as_body(step):
    return jax.checkpoint(lambda params, _: step(params))


def train_scan(step, params, n):
    return lax.scan(as_body(step), params, jnp.zeros(n))


# %% nested
# A loop of loops: rounds of equal length, and steps that are left over change nothing.
def train_scan(step, params, n):
    width = max(1, round(n**0.5))
    rounds = -(-n // width)

    def one(params, k):
        return lax.cond(k < n, step, lambda params: (params, jnp.float32(0)), params)

    def many(params, ks):
        return lax.scan(one, params, ks)

    params, losses = lax.scan(many, params, jnp.arange(rounds * width).reshape(rounds, width))
    return params, losses.ravel()[:n]


# %% training_object
# An object that is its own state, registered as a tree, whose method is the body.
@jax.tree_util.register_pytree_node_class
class Training:
    def __init__(self, step, params, losses, k=0):
        self.step, self.params, self.losses, self.k = step, params, losses, k

    def tree_flatten(self):
        return (self.params, self.losses, self.k), self.step

    @classmethod
    def tree_unflatten(cls, step, children):
        return cls(step, *children)

    def advance(self):
        params, loss = self.step(self.params)
        losses = jnp.where(jnp.arange(self.losses.size) == self.k, loss, self.losses)
        return Training(self.step, params, losses, self.k + 1)


def train_scan(step, params, n):
    start = Training(step, params, jnp.zeros(n))
    end = lax.fori_loop(0, n, lambda _, training: training.advance(), start)
    return end.params, end.losses

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

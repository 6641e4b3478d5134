"""Other right answers to rnn; each cell is a suffix to the solution."""

import dataclasses

import jax
import jax.numpy as jnp
from jax import lax


# %% cell_class
# The cell is a registered dataclass, and its gradient is rematerialised.
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Cell:
    wx: jax.Array
    wh: jax.Array
    b: jax.Array

    def __call__(self, h, x):
        h = jnp.tanh(self.wx.T @ x + self.wh.T @ h + self.b)
        return h, h


def rnn(params, xs, h0):
    cell = Cell(params["Wx"], params["Wh"], params["b"])
    return lax.scan(jax.checkpoint(cell.__call__), h0, xs)[1]


# %% fori_loop
# `fori_loop` over a buffer with h0 in front.
def rnn(params, xs, h0):
    wx, wh, b = params["Wx"], params["Wh"], params["b"]

    def step(t, hs):
        return hs.at[t + 1].set(jnp.tanh(jnp.dot(xs[t], wx) + jnp.dot(hs[t], wh) + b))

    hs = jnp.zeros((len(xs) + 1, len(h0))).at[0].set(h0)
    return lax.fori_loop(0, len(xs), step, hs)[1:]


# %% inputs_first
# All inputs are weighted in one product before the loop, which is unrolled by two.
@jax.jit
def rnn(params, xs, h0):
    driven = jnp.einsum("td,dk->tk", xs, params["Wx"]) + params["b"]

    def step(h, drive):
        h = jnp.tanh(drive + h @ params["Wh"])
        return h, h

    _, hs = lax.scan(step, h0, driven, unroll=2 if len(xs) > 2 else 1)
    return hs


# %% one_matrix
# Input, state and a one are joined into one vector, times one matrix.
def rnn(params, xs, h0):
    weights = jnp.concatenate([params["Wx"], params["Wh"], params["b"][None]])

    def step(h, x):
        h = lax.tanh(jnp.concatenate([x, h, jnp.ones(1)]) @ weights)
        return h, h

    return lax.scan(step, h0, xs, length=xs.shape[0])[1]


# %% hand_made_backpropagation
# Backpropagation through time by hand, as a scan in reverse.
@jax.custom_vjp
def states(params, xs, h0):
    return forward(params, xs, h0)[0]


def forward(params, xs, h0):
    def step(h, x):
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    hs = lax.scan(step, h0, xs)[1]
    return hs, (params, xs, jnp.vstack([h0, hs]))


def backward(saved, gs):
    params, xs, hs = saved

    def back(g, step):
        arriving, h = step
        inner = (g + arriving) * (1 - h**2)
        return params["Wh"] @ inner, inner

    g0, inner = lax.scan(back, jnp.zeros_like(hs[0]), (gs, hs[1:]), reverse=True)
    grads = {"Wx": xs.T @ inner, "Wh": hs[:-1].T @ inner, "b": inner.sum(0)}
    return grads, inner @ params["Wx"].T, g0


states.defvjp(forward, backward)


def rnn(params, xs, h0):
    return states(params, xs, h0)


# %% rematerialised_closure
# A step that is curried, under `jax.checkpoint`, in a scan over positions.
def make_step(xs, *, Wx, Wh, b):
    @jax.checkpoint
    def step(h, t):
        h = lax.tanh(jnp.matvec(Wh.T, h) + lax.dynamic_index_in_dim(xs, t, keepdims=False) @ Wx + b)
        return h, {"state": h}

    return step


def rnn(params, xs, h0):
    return lax.scan(make_step(xs, **params), h0, jnp.arange(len(xs)))[1]["state"]

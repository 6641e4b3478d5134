"""A cell that is a registered dataclass, with its gradient rematerialised."""

import dataclasses

import jax
import jax.numpy as jnp
from jax import lax


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

"""Returns an object that claims to be a jax array of the right shape and gives other numbers (N01).

Exercise: 01_arrays/set_row
Outcome: failed | raised
"""

import jax
import numpy as np


class Lie:
    def __init__(self, like):
        self.shape, self.dtype, self.ndim = like.shape, like.dtype, like.ndim

    __class__ = property(lambda self: jax.Array)

    def __array__(self, dtype=None, copy=None):
        return np.broadcast_to(np.float32(np.inf), self.shape)

    def __jax_array__(self):
        return jax.numpy.zeros(self.shape, self.dtype)


def set_row(x, i, row):
    return Lie(x)

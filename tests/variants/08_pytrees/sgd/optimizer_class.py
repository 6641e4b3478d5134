"""A small optimiser object, and `tree_map` under its old address that still works."""

import dataclasses

from jax import tree_util


@dataclasses.dataclass(frozen=True)
class Descent:
    rate: object

    def __call__(self, p, g):
        return p - (self.rate * g).astype(p.dtype)


def sgd(params, grads, lr):
    return tree_util.tree_map(Descent(lr), params, grads)

"""A scan that is unrolled by four, with the parameters as flat leaves."""

import jax
from jax import lax


def train_scan(step, params, n):
    leaves, treedef = jax.tree.flatten(params)

    def body(leaves, _):
        new, loss = step(treedef.unflatten(leaves))
        return treedef.flatten_up_to(new), loss

    leaves, losses = lax.scan(body, leaves, None, length=n, unroll=4)
    return treedef.unflatten(leaves), losses

"""Other right answers to plan_shapes; each cell is a suffix to the solution."""

import math

import jax
import numpy as np


# %% make_jaxpr
# The shapes are those of the traced program's results.
def plan_shapes(init, key):
    plan = []
    for aval in jax.make_jaxpr(init)(key).out_avals:
        count = math.prod(aval.shape)
        plan.append((aval.shape, str(aval.dtype), count * aval.dtype.itemsize))
    return plan


# %% lowered
# What `jit` would return.
def plan_shapes(init, key):
    leaves = jax.tree.leaves(jax.jit(init).lower(key).out_info)
    return [
        (tuple(leaf.shape), np.dtype(leaf.dtype).name, leaf.size * np.dtype(leaf.dtype).itemsize)
        for leaf in leaves
    ]


# %% tree_map
# A tuple for each leaf of the tree, and then a list.
def plan_shapes(init, key):
    def entry(leaf):
        return (leaf.shape, str(leaf.dtype), math.prod(leaf.shape) * leaf.dtype.itemsize)

    table = jax.tree.map(entry, jax.eval_shape(lambda: init(key)))
    return jax.tree.leaves(
        table,
        is_leaf=lambda node: (
            isinstance(node, tuple) and len(node) == 3 and isinstance(node[1], str)
        ),
    )

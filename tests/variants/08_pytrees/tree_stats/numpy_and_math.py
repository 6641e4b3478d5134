"""NumPy and Python floats for the norm, since nothing is traced here."""

import math

import jax
import numpy as np


def tree_stats(tree):
    leaves = [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(tree)]
    parameters = sum(math.prod(leaf.shape) for leaf in leaves)
    return len(leaves), parameters, math.sqrt(sum(float((leaf**2.0).sum()) for leaf in leaves))

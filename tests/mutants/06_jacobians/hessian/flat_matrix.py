"""Everything is flattened into one vector, and the Hessian stays one matrix.

Fails: test_the_shape_comes_twice, test_a_tree_gives_a_tree_of_trees,
test_the_containers_are_kept
"""

import jax
from jax.flatten_util import ravel_pytree


def hessian(f):
    def second(x):
        flat, unravel = ravel_pytree(x)
        return jax.jacfwd(jax.jacrev(lambda flat: f(unravel(flat))))(flat)

    return second

"""`grad` twice, which works for one number and for nothing else.

Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
"""

import jax


def hessian(f):
    return jax.grad(jax.grad(f))

"""The Hessian is built, and multiplied.

Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_it_is_fast
"""

import jax


def hvp(f, x, v):
    return jax.hessian(f)(x) @ v

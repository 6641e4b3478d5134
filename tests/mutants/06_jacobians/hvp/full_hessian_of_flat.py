"""The Hessian of the flattened argument is built, so trees work, and the room is n * n.

Fails: test_no_matrix_is_built, test_it_is_fast
"""

import jax
from jax.flatten_util import ravel_pytree


def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    matrix = jax.hessian(lambda flat: f(unravel(flat)))(flat)
    return unravel(matrix @ ravel_pytree(v)[0])

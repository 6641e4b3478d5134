"""A direction of zeros is recognised by a Python `if`, which has no value to look at.

Fails: test_no_matrix_is_built, test_many_directions_share_a_point, test_it_is_fast
"""

import jax
import jax.numpy as jnp


def hvp(f, x, v):
    if not any(bool(jnp.any(leaf)) for leaf in jax.tree.leaves(v)):
        return jax.tree.map(jnp.zeros_like, x)
    return jax.jvp(jax.grad(f), (x,), (v,))[1]

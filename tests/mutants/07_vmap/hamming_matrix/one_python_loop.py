"""One vector against all of B by `vmap`, and a Python loop over the rows of A.

Fails: test_small_sets_keep_both_axes, test_the_program_does_not_grow
"""

# ruff: noqa: F821
# `hamming` is the solution's.

import jax
import jax.numpy as jnp


def hamming_matrix(A, B):
    to_each = jax.vmap(hamming, in_axes=(None, 0))
    return jnp.stack([to_each(a, B) for a in A])

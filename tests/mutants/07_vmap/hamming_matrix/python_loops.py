"""Two Python loops: right, and unrolled into one comparison per pair.

Fails: test_small_sets_keep_both_axes, test_the_program_does_not_grow
"""

# ruff: noqa: F821
# `hamming` is the solution's.

import jax.numpy as jnp


def hamming_matrix(A, B):
    return jnp.array([[hamming(a, b) for b in B] for a in A])

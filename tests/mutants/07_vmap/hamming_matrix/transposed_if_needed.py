"""One map with a broadcast, turned round until the shape was right: wrong where all shapes fit.

Fails: test_nothing_is_mixed_up_when_every_shape_fits
"""

# ruff: noqa: F821
# `hamming` is the solution's.

import jax


def hamming_matrix(A, B):
    from_each = jax.vmap(hamming, in_axes=(0, None))
    result = jax.vmap(from_each, in_axes=(None, 0))(A, B)
    return result if result.shape == (len(A), len(B)) else result.T

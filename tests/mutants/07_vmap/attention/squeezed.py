"""`squeeze` tidies up, and takes away axes of length 1 that were meant.

Fails: test_axes_of_length_one_are_kept
"""

# ruff: noqa: F821
# `attend` is the solution's.

import jax
import jax.numpy as jnp


def attention(q, k, v):
    return jnp.squeeze(jax.vmap(attend)(q, k, v))

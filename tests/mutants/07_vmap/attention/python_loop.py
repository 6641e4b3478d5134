"""A Python loop over the batch: right, and unrolled into a copy per sequence.

Fails: test_the_program_does_not_grow
"""

# ruff: noqa: F821
# `attend` is the solution's.

import jax.numpy as jnp


def attention(q, k, v):
    return jnp.stack([attend(*sequence) for sequence in zip(q, k, v, strict=True)])

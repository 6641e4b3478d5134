"""The keys are transposed where the product complains, and so not where T = d.

Fails: test_nothing_is_transposed_when_every_shape_fits
"""

import math

import jax
import jax.numpy as jnp


def attend(q, k, v):
    keys = k if q.shape[1] == k.shape[0] and len(q) > 1 else k.T
    return jax.nn.softmax(jnp.dot(q, keys) / math.sqrt(q.shape[-1]), axis=-1) @ v

"""The largest score of the whole matrix is subtracted, and rows far below it become 0 over 0.

Fails: test_big_scores_are_no_problem
"""

import math

import jax.numpy as jnp


def attend(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    weights = jnp.exp(scores - scores.max())
    return weights / weights.sum(axis=-1, keepdims=True) @ v

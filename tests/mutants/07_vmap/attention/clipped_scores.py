"""Scores are clipped where exp would overflow, and all big ones become equal.

Fails: test_big_scores_are_no_problem
"""

import math

import jax
import jax.numpy as jnp


def attend(q, k, v):
    scores = jnp.clip(q @ k.T / math.sqrt(q.shape[-1]), -80, 80)
    return jax.nn.softmax(scores, axis=-1) @ v

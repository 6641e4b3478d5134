"""The formula as it stands, which is infinity over infinity for big scores.

Fails: test_big_scores_are_no_problem
"""

import math

import jax.numpy as jnp


def attend(q, k, v):
    weights = jnp.exp(q @ k.T / math.sqrt(q.shape[-1]))
    return weights / weights.sum(axis=-1, keepdims=True) @ v

"""The mean of squares minus the square of the mean: far from 0 the digits cancel.

Fails: test_rows_far_from_zero_keep_their_spread
"""

import jax.numpy as jnp


def standardize_rows(X):
    mean = X.mean(axis=1, keepdims=True)
    variance = jnp.square(X).mean(axis=1, keepdims=True) - mean**2
    return (X - mean) / jnp.sqrt(variance)

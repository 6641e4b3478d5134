"""`jax.nn.standardize` with moments that were taken with care, and no epsilon."""

import jax
import jax.numpy as jnp


def standardize_rows(X):
    mean = jnp.mean(X, axis=1, keepdims=True)
    variance = jnp.var(X, axis=1, keepdims=True)
    return jax.nn.standardize(X, axis=1, mean=mean, variance=variance, epsilon=0.0)

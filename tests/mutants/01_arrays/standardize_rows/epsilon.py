"""The reflex of adding a small number to the variance, which a row of small numbers feels.

Fails: test_every_row_has_its_own_scale
"""

import jax.numpy as jnp


def standardize_rows(X):
    centred = X - X.mean(axis=1, keepdims=True)
    return centred / jnp.sqrt(X.var(axis=1, keepdims=True) + 1e-7)

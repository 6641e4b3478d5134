"""The bias as one more weight, of an input that is always one."""

import jax.numpy as jnp


def ensemble(params, X):
    weights = jnp.column_stack([params["w"], params["b"]])
    inputs = jnp.column_stack([X, jnp.ones(len(X), X.dtype)])
    return weights @ inputs.T

"""`squeeze` tidies up the shape, and takes away an axis of length 1 that was meant.

Fails: test_one_model_or_one_input_keeps_both_axes
"""

import jax.numpy as jnp


def ensemble(params, X):
    return jnp.squeeze(params["w"] @ X.T + params["b"][:, None])

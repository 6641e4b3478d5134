"""A Python loop over the models: right, and unrolled into a product per model.

Fails: test_the_program_does_not_grow
"""

import jax
import jax.numpy as jnp


def ensemble(params, X):
    models = [jax.tree.map(lambda p: p[m], params) for m in range(len(params["b"]))]  # noqa: B023
    return jnp.stack([X @ model["w"] + model["b"] for model in models])

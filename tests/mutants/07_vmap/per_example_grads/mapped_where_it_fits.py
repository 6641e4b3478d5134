"""Parameters with an axis of length N are mapped over it, as in a stack of models.

Fails: test_as_many_examples_as_parameters
"""

import jax
import jax.numpy as jnp


def per_example_grads(loss, params, X, Y):
    axes = jax.tree.map(lambda p: 0 if jnp.ndim(p) == 1 and len(p) == len(X) else None, params)
    if len(X) == 1:
        axes = None
    return jax.vmap(jax.grad(loss), in_axes=(axes, 0, 0))(params, X, Y)

"""A Python loop over the examples: right, and unrolled into a backward pass for each.

Fails: test_the_program_does_not_grow
"""

import jax
import jax.numpy as jnp


def per_example_grads(loss, params, X, Y):
    grads = [jax.grad(loss)(params, x, y) for x, y in zip(X, Y, strict=True)]
    return jax.tree.map(lambda *rows: jnp.stack(rows), *grads)

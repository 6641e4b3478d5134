"""The Hessian is symmetric, so the gradient's `vjp` gives the same, on a flat vector."""

import jax
from jax.flatten_util import ravel_pytree


def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    _, pull = jax.vjp(jax.grad(lambda flat: f(unravel(flat))), flat)
    (product,) = pull(ravel_pytree(v)[0])
    return unravel(product)

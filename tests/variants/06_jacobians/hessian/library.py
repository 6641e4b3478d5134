"""JAX's own."""

import jax


def hessian(f):
    return jax.jit(jax.hessian(f))

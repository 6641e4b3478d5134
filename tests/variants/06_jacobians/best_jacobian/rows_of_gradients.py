"""A gradient for each output, stacked, where the outputs are few."""

import jax
import jax.numpy as jnp


def best_jacobian(f, n_in, n_out):
    def rows(x):
        return jnp.stack([jax.grad(lambda x, k=k: f(x)[k])(x) for k in range(n_out)])

    return {True: jax.jit(jax.jacfwd(f)), False: rows}[n_in < n_out]

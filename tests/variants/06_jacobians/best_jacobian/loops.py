"""One pass after the other in a loop of the program, under `jit`."""

import jax
import jax.numpy as jnp
from jax import lax


def best_jacobian(f, n_in, n_out):
    @jax.jit
    def jacobian(x):
        if n_in <= n_out:
            _, push = jax.linearize(f, x)
            return lax.map(push, jnp.eye(n_in)).T
        _, pull = jax.vjp(f, x)
        return lax.scan(lambda _, row: (None, pull(row)[0]), None, jnp.eye(n_out))[1]

    return jacobian

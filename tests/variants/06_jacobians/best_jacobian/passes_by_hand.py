"""`jvp` over the columns of the identity, or the function from `vjp` over its rows."""

import jax
import jax.numpy as jnp


def best_jacobian(f, n_in, n_out):
    def forward(x):
        def push(tangent):
            return jax.jvp(f, (x,), (tangent,))[1]

        return jax.vmap(push, out_axes=1)(jnp.eye(n_in))

    def reverse(x):
        _, pull = jax.vjp(f, x)
        return jax.vmap(lambda cotangent: pull(cotangent)[0])(jnp.eye(n_out))

    return forward if n_out >= n_in else reverse

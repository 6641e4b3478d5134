"""Other right answers to best_jacobian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% callable_class
# A callable object, which chooses the mode when it is called.
class Jacobian:
    def __init__(self, f, shape):
        self.f = f
        self.rows, self.columns = shape

    def __call__(self, x):
        mode = jax.jacfwd if self.columns < self.rows else jax.jacrev
        return mode(self.f)(x)


def best_jacobian(f, n_in, n_out):
    return Jacobian(f, (n_out, n_in))


# %% loops
# One pass after the other in a compiled loop, under `jit`.
def best_jacobian(f, n_in, n_out):
    @jax.jit
    def jacobian(x):
        if n_in <= n_out:
            _, push = jax.linearize(f, x)
            return lax.map(push, jnp.eye(n_in)).T
        _, pull = jax.vjp(f, x)
        return lax.scan(lambda _, row: (None, pull(row)[0]), None, jnp.eye(n_out))[1]

    return jacobian


# %% passes_by_hand
# `jvp` over the columns of the identity, or `vjp` over its rows.
def best_jacobian(f, n_in, n_out):
    def forward(x):
        def push(tangent):
            return jax.jvp(f, (x,), (tangent,))[1]

        return jax.vmap(push, out_axes=1)(jnp.eye(n_in))

    def reverse(x):
        _, pull = jax.vjp(f, x)
        return jax.vmap(lambda cotangent: pull(cotangent)[0])(jnp.eye(n_out))

    return forward if n_out >= n_in else reverse


# %% rows_of_gradients
# If there are few outputs, one gradient per output is stacked.
def best_jacobian(f, n_in, n_out):
    def rows(x):
        return jnp.stack([jax.grad(lambda x, k=k: f(x)[k])(x) for k in range(n_out)])

    return {True: jax.jit(jax.jacfwd(f)), False: rows}[n_in < n_out]

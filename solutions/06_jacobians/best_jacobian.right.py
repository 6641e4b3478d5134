"""Other right answers to best_jacobian; each cell is a suffix to the solution."""

from functools import partial

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


# %% along_axis
# `apply_along_axis` pushes the columns of the identity, or pulls its rows.
def best_jacobian(f, n_in, n_out):
    def columns(x):
        return jnp.apply_along_axis(lambda v: jax.jvp(f, (x,), (v,))[1], 0, jnp.identity(n_in))

    def rows(x):
        _, pull = jax.vjp(f, x)
        return jnp.apply_along_axis(lambda v: pull(v)[0], 1, jnp.identity(n_out))

    return (rows, columns)[n_out >= n_in]


# %% one_linear_map
# The linear map at the point, mapped over unit vectors, or transposed and then mapped.
def best_jacobian(f, n_in, n_out):
    def jacobian(x):
        _, push = jax.linearize(f, x)
        if n_out > n_in:
            return jnp.vectorize(push, signature="(n)->(m)")(jnp.eye(n_in)).mT
        pull = jax.linear_transpose(push, x)
        (rows,) = jax.vmap(pull)(jnp.eye(n_out))
        return rows

    return jacobian


# %% partial
# A partial application with a mode from a table.
def transform(mode, f, x):
    return mode(f)(x)


def best_jacobian(f, n_in, n_out):
    mode = min((n_in, 0, jax.jacfwd), (n_out, 1, jax.jacrev), key=lambda row: row[:2])[-1]
    return partial(transform, mode, f)

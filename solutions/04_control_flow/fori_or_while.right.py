"""Other right answers to fori_or_while; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% checkpointed
# The body is computed again in the backward pass.
@partial(jax.jit, static_argnames="limit")
def apply_power(a, x, n, limit):
    @jax.checkpoint
    def multiply(y, counts):
        return lax.select(counts, jnp.dot(a, y), y), None

    return lax.scan(multiply, x, jnp.arange(limit) < n)[0]


# %% cond
# A round that doesn't count is skipped.
def apply_power(a, x, n, limit):
    def one_round(y, i):
        return lax.cond(i < n, lambda y: a @ y, lambda y: y, y), None

    return lax.scan(one_round, x, jnp.arange(limit))[0]


# %% counted_down
# The state holds how many rounds are left.
def apply_power(a, x, n, limit):
    def multiply(_, state):
        left, y = state
        return left - 1, jnp.where(left > 0, a @ y, y)

    return lax.fori_loop(0, limit, multiply, (jnp.int32(n), x))[1]


# %% own_derivative
# A `while_loop` with a derivative of one's own, which runs a `while_loop` backwards.
@partial(jax.custom_vjp, nondiff_argnums=(3,))
def power(a, x, n, limit):
    return lax.fori_loop(0, n, lambda _, y: a @ y, x)


def forward(a, x, n, limit):
    def multiply(i, state):
        y, seen = state
        return a @ y, seen.at[i].set(y)

    y, seen = lax.fori_loop(0, n, multiply, (x, jnp.zeros((limit, *x.shape), x.dtype)))
    return y, (a, n, seen)


def backward(limit, kept, g):
    a, n, seen = kept

    def step(i, state):
        g, in_a = state
        return a.T @ g, in_a + jnp.outer(g, seen[n - 1 - i])

    g, in_a = lax.fori_loop(0, n, step, (g, jnp.zeros_like(a)))
    return in_a, g, None


power.defvjp(forward, backward)


def apply_power(a, x, n, limit):
    return power(a, x, jnp.asarray(n, jnp.int32), limit)

"""Other right answers to batching_rule; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_batching import custom_vmap


# %% matrix_power
# NumPy's name for the power, and a scan for one vector.
@custom_vmap
def high_power(a, x):
    return lax.scan(lambda x, _: (jnp.dot(a, x), None), x, None, length=64)[0]


@high_power.def_vmap
def rule(size, batched, a, x):
    a_batched, x_batched = batched
    if x_batched and not a_batched:
        return jnp.einsum("ij,bj->bi", jnp.linalg.matrix_power(a, 64), x), True
    if not x_batched:
        x = jnp.broadcast_to(x, (size, *x.shape))
    every = lax.fori_loop(0, 64, lambda _, x: jnp.einsum("bij,bj->bi", a, x), x)
    return every, True


# %% written_out
# A Python loop of 64 products, and a wrapper around the function with the rule.
@custom_vmap
def inner(a, x):
    for _ in range(64):
        x = a @ x
    return x


@inner.def_vmap
def inner_rule(size, batched, a, x):
    if not batched[0]:
        power = lax.fori_loop(0, 6, lambda _, a: a @ a, a)
        return jax.vmap(lambda x: power @ x)(x), True
    x = x if batched[1] else jnp.tile(x, (size, 1))
    return lax.fori_loop(0, 64, lambda _, x: jax.vmap(jnp.dot)(a, x), x), True


def high_power(a, x):
    return inner(a, x)


# %% columns
# The vectors of a batch are the columns of one matrix, which is turned at the end.
def for_one(a, x):
    return lax.fori_loop(0, 64, lambda _, x: a @ x, x)


@custom_vmap
def high_power(a, x):
    return for_one(a, x)


@high_power.def_vmap
def rule(size, batched, a, x):
    if batched[0]:
        axes = tuple(0 if b else None for b in batched)
        return jax.vmap(for_one, in_axes=axes, axis_size=size)(a, x), True
    squares = a
    for _ in range(6):
        squares = jnp.matmul(squares, squares)
    return (squares @ x.T).T, jnp.ndim(x) == 2

"""Other right answers to hessian; each cell is a suffix to the solution."""

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import jacrev
from jax.flatten_util import ravel_pytree


# %% forward_twice
# Forward over forward mode, in a named function.
def hessian(f):
    first = jax.jacfwd(f)

    def second(x):
        return jax.jacfwd(first)(x)

    return second


# %% library
# JAX's own `hessian`.
def hessian(f):
    return jax.jit(jax.hessian(f))


# %% reverse_over_forward
# Reverse over forward mode, in a class.
@dataclasses.dataclass
class Hessian:
    function: Callable

    def __call__(self, x):
        return jax.jacrev(jax.jacfwd(self.function))(x)


def hessian(f):
    return Hessian(f).__call__


# %% reverse_twice
# Reverse over reverse mode.
def hessian(f):
    return jacrev(jacrev(f))


# %% unit_vectors
# One pass per unit vector of the flattened argument; both sides become trees again.
def hessian(f):
    def second(x):
        flat, unravel = ravel_pytree(x)
        _, push = jax.linearize(jax.grad(f), x)
        passes = jax.vmap(lambda unit: push(unravel(unit)))(jnp.eye(flat.size))

        def blocks(leaf, found):
            rows = jax.vmap(unravel)(found.reshape(flat.size, leaf.size).T)
            return jax.tree.map(lambda row: row.reshape(leaf.shape + row.shape[1:]), rows)

        return jax.tree.map(blocks, x, passes)

    return second


# %% all_pairs_forward
# Two nested `jvp` for each pair of unit vectors, then trees on both sides.
def along(g, u):
    return lambda z: jax.jvp(g, (z,), (u,))[1]


def hessian(f):
    def second(x):
        flat, unravel = ravel_pytree(x)

        def entry(u, v):
            return along(along(lambda z: f(unravel(z)), u), v)(flat)

        units = jnp.eye(flat.size, dtype=flat.dtype)
        table = jax.vmap(jax.vmap(entry, (None, 0)), (0, None))(units, units)

        def block(leaf, column):
            rows = jax.vmap(unravel)(column.reshape(flat.size, leaf.size).T)
            return jax.tree.map(lambda row: row.reshape(leaf.shape + row.shape[1:]), rows)

        return jax.tree.map(block, x, jax.vmap(unravel)(table))

    return second


# %% leaf_by_leaf
# The leaves are separate arguments, and the Jacobian of the gradient has a block for each of them.
def hessian(f):
    def second(x):
        leaves, treedef = jax.tree.flatten(x)

        def slopes(*leaves):
            return jax.grad(f)(treedef.unflatten(leaves))

        rows = jax.jacfwd(slopes, argnums=tuple(range(len(leaves))))(*leaves)
        return jax.tree.map(lambda _, row: treedef.unflatten(row), x, rows)

    return jax.jit(second)

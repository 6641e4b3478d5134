"""What the suite of hessian once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree


# %% vector_changes_sides
# The mirrored block takes one axis to the other side, which is too few for two matrices.
# Fails: test_a_tree_gives_a_tree_of_trees
def mirrored(block, ndim):
    if ndim == 0:
        return block
    return jnp.moveaxis(block, 0, -1) if ndim == 1 else jnp.moveaxis(block, -1, 0)


def hessian(f):
    def second(x):
        leaves, tree = jax.tree.flatten(x)
        n = len(leaves)
        blocks = [[None] * n for _ in range(n)]
        for i in range(n):
            slope = jax.grad(lambda *leaves: f(tree.unflatten(leaves)), argnums=i)
            for j in range(i, n):
                found = jax.jacfwd(slope, argnums=j)(*leaves)
                blocks[j][i] = mirrored(found, leaves[i].ndim)
                blocks[i][j] = found
        return tree.unflatten([tree.unflatten(row) for row in blocks])

    return second


# %% while_loop
# One column after the other in a loop that has no derivative in reverse mode.
# Fails: test_details
def hessian(f):
    def second(x):
        flat, unravel = ravel_pytree(x)
        n = flat.size
        slope = jax.grad(lambda flat: f(unravel(flat)))

        def column(state):
            k, table = state
            here = jnp.arange(n) == k
            _, found = jax.jvp(slope, (flat,), (here.astype(flat.dtype),))
            return k + 1, jnp.where(here[:, None], found, table)

        start = 0, jnp.zeros((n, n), flat.dtype)
        _, table = lax.while_loop(lambda state: state[0] < n, column, start)

        def blocks(leaf, found):
            rows = jax.vmap(unravel)(found.reshape(leaf.size, n))
            return jax.tree.map(lambda row: row.reshape(leaf.shape + row.shape[1:]), rows)

        return jax.tree.map(blocks, x, jax.vmap(unravel, in_axes=1, out_axes=-1)(table))

    return second


# %% tuples_as_namedtuples
# Each tuple is made anew as a namedtuple is, which fails for a plain tuple.
# Fails: test_details
def rebuild(tree, leaves):
    if isinstance(tree, dict):
        return {name: rebuild(tree[name], leaves) for name in sorted(tree)}
    if isinstance(tree, list):
        return [rebuild(part, leaves) for part in tree]
    if isinstance(tree, tuple):
        return type(tree)(*[rebuild(part, leaves) for part in tree])
    return None if tree is None else next(leaves)


def hessian(f):
    def second(x):
        leaves = jax.tree.leaves(x)
        every = tuple(range(len(leaves)))
        rows = jax.hessian(lambda *leaves: f(rebuild(x, iter(leaves))), argnums=every)(*leaves)
        return rebuild(x, iter([rebuild(x, iter(row)) for row in rows]))

    return second


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_only_arrays of `p`": "The text asks for arrays.",
}

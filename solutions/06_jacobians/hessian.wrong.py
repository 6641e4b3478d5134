"""What learners get wrong in hessian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


# %% diagonal
# Only the second derivative of each input is computed: the mixed derivatives are missing.
# Do: Take the Jacobian of the gradient, which has all pairs of inputs.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_one_function_serves_every_point, test_details
def hessian(f):
    def second(x):
        gradient = jax.grad(f)
        return jnp.diag(jax.jvp(gradient, (x,), (jnp.ones_like(x),))[1])

    return second


# %% summed_gradient
# `grad` needs a scalar, so the gradient is summed: the rows of the Hessian are added.
# Do: Take the Jacobian of the gradient, with `jax.jacfwd` or `jax.jacrev`, and sum nothing.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_one_function_serves_every_point, test_details
def hessian(f):
    return jax.grad(lambda x: jax.grad(f)(x).sum())


# %% grad_of_grad
# `grad` is applied twice, which works only for a single number.
# Do: `jax.grad` needs a scalar. For the second derivative, use `jax.jacfwd` or `jax.jacrev`.
# Breaks: Returns 2
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_one_function_serves_every_point, test_details
def hessian(f):
    return jax.grad(jax.grad(f))


# %% jacobian_only
# One derivative is missing: the Jacobian of a scalar function is its gradient.
# Do: Take the Jacobian of the gradient of f.
# Breaks: Returns 2
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_one_function_serves_every_point, test_details
def hessian(f):
    return jax.jacfwd(f)


# %% product_of_gradients
# The outer product of the gradient with itself isn't the Hessian.
# Do: Differentiate the gradient again.
# Breaks: Returns 3
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_one_function_serves_every_point, test_details
def hessian(f):
    def second(x):
        gradient = jax.grad(f)(x)
        return jnp.tensordot(gradient, gradient, axes=0)

    return second


# %% flat_matrix
# Everything is flattened into one vector, and the Hessian is returned as one matrix.
# Do: Don't flatten. JAX's functions for Jacobians take trees and arrays of any shape.
# Breaks: Returns 2, Returns 3
# Fails: test_the_shape_comes_twice, test_a_tree_gives_a_tree_of_trees, test_details
def hessian(f):
    def second(x):
        flat, unravel = ravel_pytree(x)
        return jax.jacfwd(jax.jacrev(lambda flat: f(unravel(flat))))(flat)

    return second


# %% blocks_on_the_diagonal
# Each leaf is processed separately: the mixed derivatives of two leaves are missing.
# Do: Pass the whole tree to JAX: there are mixed derivatives between leaves.
# Breaks: Returns 3
# Fails: test_a_tree_gives_a_tree_of_trees, test_details
def hessian(f):
    def second(x):
        leaves, treedef = jax.tree.flatten(x)
        if len(leaves) == 1:
            return jax.hessian(f)(x)
        blocks = []
        for k in range(len(leaves)):

            def of_leaf(leaf, k=k):
                return f(treedef.unflatten([*leaves[:k], leaf, *leaves[k + 1 :]]))

            blocks.append(jax.hessian(of_leaf)(leaves[k]))
        return treedef.unflatten(blocks)

    return second


# %% arrays_only
# One pass per unit vector of a single array, reshaped at the end: a tree fails.
# Do: Use `jax.jacfwd` or `jax.jacrev`, which take trees.
# Breaks: Returns 3
# Fails: test_a_tree_gives_a_tree_of_trees, test_details
def hessian(f):
    def second(x):
        units = jnp.eye(x.size).reshape(x.size, *x.shape)
        rows = jax.vmap(lambda unit: jax.jvp(jax.grad(f), (x,), (unit,))[1])(units)
        return rows.reshape(x.shape + x.shape)

    return second


# %% dicts_only
# The blocks are computed for a dict, and every other container becomes a dict.
# Do: Leave the containers to `jax.jacfwd`: it keeps their types.
# Breaks: Details 2
# Fails: test_details
def hessian(f):
    def second(x):
        if isinstance(x, jax.Array):
            return jax.hessian(f)(x)
        parts = x if isinstance(x, dict) else dict(enumerate(x))

        def of_dict(parts):
            return f(parts if isinstance(x, dict) else list(parts.values()))

        return jax.hessian(of_dict)(parts)

    return second


# %% numpy_columns
# NumPy collects the columns, which JAX can't trace.
# Do: Compute with JAX operations only. NumPy can't be traced.
# Breaks: Returns 5
# Fails: test_one_function_serves_every_point, test_details
def hessian(f):
    def second(x):
        found = jax.tree.map(np.asarray, jax.jacrev(jax.grad(f))(x))
        return jax.tree.map(jnp.asarray, found)

    return second


# %% top_branches
# The pairs are those of the top branches, not those of the leaves.
# Do: Leave the tree to `jax.jacfwd`: it goes down to the leaves.
# Breaks: Details 1
# Fails: test_details
def branches(x):
    if isinstance(x, dict):
        return list(x.values()), lambda parts: dict(zip(x, parts, strict=True))
    return list(x), x._make if hasattr(x, "_make") else type(x)


def hessian(f):
    def second(x):
        if isinstance(x, jax.Array):
            return jax.jacfwd(jax.grad(f))(x)
        parts, make = branches(x)

        def block(i, j):
            slope = jax.grad(lambda *parts: f(make(parts)), argnums=i)
            return jax.jacfwd(slope, argnums=j)(*parts)

        every = range(len(parts))
        return make([make([block(i, j) for j in every]) for i in every])

    return second


# %% first_point_kept
# The gradient is linearized in the first call, and the result is also used in later calls.
# Do: Compute everything again at each point.
# Breaks: Returns 1
# Fails: test_one_function_serves_every_point
def hessian(f):
    kept = []

    def second(x):
        flat, unravel = ravel_pytree(x)
        if not kept:
            kept.append(jax.linearize(jax.grad(f), x)[1])
        passes = jax.vmap(lambda unit: kept[0](unravel(unit)))(jnp.eye(flat.size))

        def blocks(leaf, found):
            rows = jax.vmap(unravel)(found.reshape(flat.size, leaf.size).T)
            return jax.tree.map(lambda row: row.reshape(leaf.shape + row.shape[1:]), rows)

        return jax.tree.map(blocks, x, passes)

    return second


# %% once missed
from jax import lax


# %% vector_changes_sides
# The mirrored block moves one axis to the other side, which is too few for two matrices.
# Breaks: Returns 4
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
# The columns are computed one at a time in a loop that has no reverse-mode derivative.
# Breaks: Details 3
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
# Each tuple is rebuilt like a namedtuple, which fails for a plain tuple.
# Breaks: Details 2
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

"""Wrong answers to hessian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree


# %% arrays_only
# One pass per unit vector of a single array, reshaped at the end: a tree fails.
# Fails: test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept
def hessian(f):
    def second(x):
        units = jnp.eye(x.size).reshape(x.size, *x.shape)
        rows = jax.vmap(lambda unit: jax.jvp(jax.grad(f), (x,), (unit,))[1])(units)
        return rows.reshape(x.shape + x.shape)

    return second


# %% blocks_on_the_diagonal
# Each leaf is taken alone: the mixed derivatives of two leaves are missing.
# Fails: test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept
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


# %% diagonal
# Only the second derivative of each input: the mixed derivatives are missing.
# At most half of the points.
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
def hessian(f):
    def second(x):
        gradient = jax.grad(f)
        return jnp.diag(jax.jvp(gradient, (x,), (jnp.ones_like(x),))[1])

    return second


# %% dicts_only
# The blocks are computed for a dict, and every other container becomes a dict.
# Fails: test_the_containers_are_kept
def hessian(f):
    def second(x):
        if isinstance(x, jax.Array):
            return jax.hessian(f)(x)
        parts = x if isinstance(x, dict) else dict(enumerate(x))

        def of_dict(parts):
            return f(parts if isinstance(x, dict) else list(parts.values()))

        return jax.hessian(of_dict)(parts)

    return second


# %% differences_in_float64
# For a single array: differences of the function, exact enough in float64.
# Fails: test_it_survives_jit
def hessian(f):
    def second(x):
        if not hasattr(x, "shape"):
            return jax.hessian(f)(x)
        with jax.enable_x64(True):
            wide, step = jnp.asarray(x, "float64"), 1e-3
            steps = step * jnp.eye(wide.size, dtype="float64").reshape(wide.size, *wide.shape)

            def entry(a, b):
                ends = f(wide + a + b) + f(wide - a - b) - f(wide + a - b) - f(wide - a + b)
                return ends / (4 * step**2)

            rows = jax.vmap(lambda a: jax.vmap(lambda b: entry(a, b))(steps))(steps)
            return rows.reshape(wide.shape * 2).astype("float32")

    return second


# %% float64_for_all
# With float64 turned on, all other code that makes arrays gets them in float64, too.
# Fails: test_it_survives_jit
jax.config.update("jax_enable_x64", True)


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


# %% empty_leaf_by_reshape
# The unit vectors of a leaf are shaped with -1, which is unknown for a leaf without elements.
# Fails: test_the_shape_comes_twice, test_the_containers_are_kept
def hessian(f):
    def second(x):
        leaves, treedef = jax.tree.flatten(x)
        _, push = jax.linearize(jax.grad(f), x)

        def row(k):
            leaf = leaves[k]

            def along(unit):
                direction = [jnp.zeros_like(other) for other in leaves]
                direction[k] = unit
                return push(treedef.unflatten(direction))

            found = jax.vmap(along)(jnp.eye(leaf.size).reshape(-1, *leaf.shape))
            return jax.tree.map(lambda part: part.reshape(leaf.shape + part.shape[1:]), found)

        return treedef.unflatten([row(k) for k in range(len(leaves))])

    return second


# %% flat_matrix
# Everything is flattened into one vector, and the Hessian is returned as one matrix.
# Fails: test_the_shape_comes_twice, test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept
def hessian(f):
    def second(x):
        flat, unravel = ravel_pytree(x)
        return jax.jacfwd(jax.jacrev(lambda flat: f(unravel(flat))))(flat)

    return second


# %% grad_of_grad
# `grad` twice, which works for a single number only.
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
def hessian(f):
    return jax.grad(jax.grad(f))


# %% jacobian_only
# One derivative is missing: the Jacobian of a scalar function is its gradient.
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
def hessian(f):
    return jax.jacfwd(f)


# %% numpy_columns
# NumPy collects the columns, which JAX can't trace.
# Fails: test_a_tree_gives_a_tree_of_trees, test_it_survives_jit
def hessian(f):
    def second(x):
        found = jax.tree.map(np.asarray, jax.jacrev(jax.grad(f))(x))
        return jax.tree.map(jnp.asarray, found)

    return second


# %% product_of_gradients
# The outer product of the gradient with itself isn't the Hessian.
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
def hessian(f):
    def second(x):
        gradient = jax.grad(f)(x)
        return jnp.tensordot(gradient, gradient, axes=0)

    return second


# %% summed_gradient
# `grad` needs a scalar, so the gradient is summed: the rows of the Hessian are added.
# At most half of the points.
# Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
# test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
def hessian(f):
    return jax.grad(lambda x: jax.grad(f)(x).sum())


# %% top_branches
# The pairs are those of the branches at the top, not those of the leaves.
# Fails: test_the_containers_are_kept
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


# %% while_loop
# One column after the other in a loop that has no derivative in reverse mode.
# Fails: test_it_survives_jit
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


# %% first_point_kept
# The gradient is linearized in the first call, and what comes out is used in later calls, too.
# Fails: test_it_survives_jit
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


# %% tuples_as_namedtuples
# Each tuple is made anew as a namedtuple is, which fails for a plain tuple.
# Fails: test_the_containers_are_kept
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


# %% own_input_alone
# For an array, only the entries on the diagonal have derivatives, each in its own input.
# Fails: test_it_survives_jit
def hessian(f):
    def second(x):
        if not isinstance(x, jax.Array) or not x.size:
            return jax.hessian(f)(x)
        flat = x.ravel()
        fixed = lax.stop_gradient(flat)

        def of_flat(flat):
            return f(flat.reshape(x.shape))

        def own(k):
            return jax.grad(jax.grad(lambda entry: of_flat(fixed.at[k].set(entry))))(flat[k])

        diagonal = jax.vmap(own)(jnp.arange(flat.size))
        table = jnp.where(jnp.eye(flat.size) > 0, diagonal, jax.hessian(of_flat)(fixed))
        return table.reshape(x.shape * 2)

    return second


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_only_arrays of `p`": "The text asks for arrays.",
}


# %% other_leaves_held
# For each block all other leaves are held fast, so the block has no derivative in them.
# Fails: test_a_tree_gives_a_tree_of_trees
def hessian(f):
    def second(x):
        leaves, tree = jax.tree.flatten(x)
        fixed = jax.lax.stop_gradient(leaves)

        def block(i, j):
            def of_two(a, b):
                given = list(fixed)
                given[j] = b
                given[i] = a
                return f(tree.unflatten(given))

            if i == j:
                return jax.hessian(lambda a: of_two(a, a))(leaves[i])
            return jax.jacfwd(jax.grad(of_two), argnums=1)(leaves[i], leaves[j])

        n = range(len(leaves))
        return tree.unflatten([tree.unflatten([block(i, j) for j in n]) for i in n])

    return second

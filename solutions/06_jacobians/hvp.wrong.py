"""What learners get wrong in hvp; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree


# %% full_hessian
# The whole Hessian is built and multiplied.
# Do: Differentiate the gradient along v, with `jax.jvp`. Then no matrix is built.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    return jax.hessian(f)(x) @ v


# %% full_hessian_of_flat
# The Hessian of the flattened argument is built: trees work, but it takes n * n memory.
# Do: Differentiate the gradient along v, with `jax.jvp`. It accepts trees directly.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_no_matrix_is_built, test_it_is_fast
def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    matrix = jax.hessian(lambda flat: f(unravel(flat)))(flat)
    return unravel(matrix @ ravel_pytree(v)[0])


# %% jacobian_of_gradient
# `jacrev` of the gradient also builds the whole matrix.
# Do: Use `jax.jvp` instead of `jax.jacrev`: it needs one pass for one direction.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    return jnp.einsum("ij,j->i", jax.jacrev(jax.grad(f))(x), v)


# %% change_of_the_value
# `jvp` of the function itself gives the slope along the direction, a single number.
# Do: Push the direction through the gradient of f, not through f.
# Breaks: Returns 1
# Fails: test_the_product_is_with_the_whole_hessian, test_trees_are_taken_as_they_are,
# test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    return jax.jvp(f, (x,), (v,))[1]


# %% value_and_change
# `jvp` returns a pair, and the gradient is returned instead of the product.
# Do: `jax.jvp` returns (value, change). Take the second one.
# Breaks: Returns 1
# Fails: test_the_product_is_with_the_whole_hessian, test_trees_are_taken_as_they_are,
# test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    product, _ = jax.jvp(jax.grad(f), (x,), (v,))
    return product


# %% diagonal
# The direction is multiplied by the sums of the rows, as if the Hessian were diagonal.
# Do: Pass v itself to `jax.jvp` as the direction.
# Breaks: Returns 1
# Fails: test_the_product_is_with_the_whole_hessian, test_trees_are_taken_as_they_are,
# test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    ones = jax.tree.map(jnp.ones_like, x)
    rows = jax.jvp(jax.grad(f), (x,), (ones,))[1]
    return jax.tree.map(jnp.multiply, rows, v)


# %% difference
# A finite difference of gradients loses most of the digits.
# Do: Let JAX differentiate the gradient, with `jax.jvp`.
# Breaks: Returns 1
# Fails: test_the_product_is_with_the_whole_hessian, test_trees_are_taken_as_they_are,
# test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    eps = 1e-2
    shifted = jax.tree.map(lambda p, d: p + eps * d, x, v)
    return jax.tree.map(lambda a, b: (a - b) / eps, jax.grad(f)(shifted), jax.grad(f)(x))


# %% leaf_by_leaf
# Each leaf is processed separately: the mixed derivatives of two leaves are missing.
# Do: Pass the whole tree to `jax.grad` and `jax.jvp`.
# Breaks: Returns 1
# Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_details
def hvp(f, x, v):
    leaves, treedef = jax.tree.flatten(x)
    products = []
    for k, direction in enumerate(jax.tree.leaves(v)):

        def of_leaf(leaf, k=k):
            return f(treedef.unflatten([*leaves[:k], leaf, *leaves[k + 1 :]]))

        products.append(jax.jvp(jax.grad(of_leaf), (leaves[k],), (direction,))[1])
    return treedef.unflatten(products)


# %% unit_direction
# The direction is scaled to length one, so its own length is lost.
# Do: Leave the length of v unchanged.
# Breaks: Returns 1
# Fails: test_the_product_is_with_the_whole_hessian, test_trees_are_taken_as_they_are,
# test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(v)))
    unit = jax.tree.map(lambda leaf: leaf / norm, v)
    return jax.jvp(jax.grad(f), (x,), (unit,))[1]


# %% row_by_row
# The Hessian is computed one row at a time: little memory, but one pass per row.
# Do: One pass along v is enough. No row of the Hessian is needed.
# Breaks: Returns 3
# Fails: test_it_is_fast
def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    direction, _ = ravel_pytree(v)
    slope = jax.grad(lambda flat: f(unravel(flat)))

    def entry(k):
        return jax.grad(lambda flat: slope(flat)[k])(flat) @ direction

    return unravel(lax.map(entry, jnp.arange(len(flat))) if flat.size else flat)


# %% passes_written_out
# A Python loop makes one pass for each input: little memory, but a large program.
# Do: One pass along v is enough. No column of the Hessian is needed.
# Breaks: Returns 3
# Fails: test_no_matrix_is_built, test_it_is_fast
def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    direction, _ = ravel_pytree(v)
    slope = jax.grad(lambda flat: f(unravel(flat)))
    product = jnp.zeros_like(flat)
    for k in range(len(flat)):
        unit = jnp.zeros_like(flat).at[k].set(direction[k])
        product += jax.jvp(slope, (flat,), (unit,))[1]
    return unravel(product)


# %% python_shortcut
# A Python `if` checks for a direction of zeros, which needs a value and can't be traced.
# Do: Remove the `if`. A direction of zeros gives zeros automatically.
# Breaks: Details 2
# Fails: test_no_matrix_is_built, test_it_is_fast, test_details
def hvp(f, x, v):
    if not any(bool(jnp.any(leaf)) for leaf in jax.tree.leaves(v)):
        return jax.tree.map(jnp.zeros_like, x)
    return jax.jvp(jax.grad(f), (x,), (v,))[1]


# %% once missed


# %% collected_by_hand
# A recursion takes the leaves of a dict in insertion order.
# Breaks: Returns 1
# Fails: test_details
def collect(tree):
    if tree is None:
        return []
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list | tuple):
        return [leaf for part in tree for leaf in collect(part)]
    return [tree]


def rebuild(tree, leaves):
    if tree is None:
        return None
    if isinstance(tree, dict):
        return {name: rebuild(part, leaves) for name, part in tree.items()}
    if isinstance(tree, list | tuple):
        parts = [rebuild(part, leaves) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return next(leaves)


def hvp(f, x, v):
    point, direction = tuple(collect(x)), tuple(collect(v))
    every = tuple(range(len(point)))
    slopes = jax.grad(lambda *leaves: f(rebuild(x, iter(leaves))), argnums=every)
    return rebuild(x, iter(jax.jvp(slopes, point, direction)[1]))


# %% donated
# The result takes the direction's memory, so the direction can't be used again.
# Fails: test_the_product_is_with_the_whole_hessian, test_trees_are_taken_as_they_are, test_details
def hvp(f, x, v):
    push = jax.jit(lambda x, v: jax.jvp(jax.grad(f), (x,), (v,))[1], donate_argnums=1)
    return push(x, v)


# %% full_hessian_of_leaves
# A tree of one leaf is pushed along one direction, but for more leaves the Hessian is built.
# Breaks: Returns 2
# Fails: test_no_matrix_is_built
def hvp(f, x, v):
    if len(jax.tree.leaves(x)) == 1:
        return jax.jvp(jax.grad(f), (x,), (v,))[1]

    def row(_, columns):
        blocks = jax.tree.map(lambda part, d: jnp.tensordot(part, d, axes=d.ndim), columns, v)
        return sum(jax.tree.leaves(blocks))

    return jax.tree.map(row, x, jax.hessian(f)(x))


# %% vectors_only
# A single array is multiplied with `@`, which fails for a scalar and for a matrix.
# Breaks: Details 1
# Fails: test_details
def hvp(f, x, v):
    if isinstance(x, jax.Array):
        return jax.grad(lambda x: jax.grad(f)(x) @ v)(x)
    return jax.jvp(jax.grad(f), (x,), (v,))[1]


# %% one_level
# A container is taken apart one level deep, so a nested tree fails.
# Breaks: Details 1
# Fails: test_details
def parts_of(tree):
    if isinstance(tree, dict):
        return [tree[name] for name in sorted(tree)]
    return list(tree) if isinstance(tree, list | tuple) else [tree]


def joined(tree, parts):
    if isinstance(tree, dict):
        return dict(zip(sorted(tree), parts, strict=True))
    if isinstance(tree, list | tuple):
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return parts[0]


def hvp(f, x, v):
    def slope(*parts):
        return sum(map(jnp.vdot, parts_of(jax.grad(f)(joined(x, parts))), parts_of(v)))

    parts = parts_of(x)
    return joined(x, jax.grad(slope, argnums=tuple(range(len(parts))))(*parts))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_only_arrays": "The text asks for arrays.",
}

"""Wrong answers to hvp; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.flatten_util import ravel_pytree


# %% change_of_the_value
# `jvp` of the function itself gives the slope along the direction, a single number.
# Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
# test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
# test_it_is_fast
def hvp(f, x, v):
    return jax.jvp(f, (x,), (v,))[1]


# %% collected_by_hand
# A recursion that takes the leaves of a dict in the order in which it was filled.
# Fails: test_trees_are_taken_as_they_are
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


# %% complex_step
# The imaginary part of the gradient at a complex point, which needs an analytic function.
# Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts
def hvp(f, x, v):
    moved = jax.tree.map(lambda p, d: lax.complex(p, 1e-12 * d), x, v)
    slope = jax.grad(f, holomorphic=True)(moved)
    return jax.tree.map(lambda g: jnp.imag(g) / 1e-12, slope)


# %% diagonal
# The direction is multiplied by the sums of the rows, as if the Hessian were diagonal.
# Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
# test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
# test_it_is_fast
def hvp(f, x, v):
    ones = jax.tree.map(jnp.ones_like, x)
    rows = jax.jvp(jax.grad(f), (x,), (ones,))[1]
    return jax.tree.map(jnp.multiply, rows, v)


# %% difference
# A finite difference of gradients, which loses most of the digits.
# Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
# test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
# test_it_is_fast
def hvp(f, x, v):
    eps = 1e-2
    shifted = jax.tree.map(lambda p, d: p + eps * d, x, v)
    return jax.tree.map(lambda a, b: (a - b) / eps, jax.grad(f)(shifted), jax.grad(f)(x))


# %% donated
# The result takes the memory of the direction, which can't be used again.
# Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
# test_trees_are_taken_as_they_are
def hvp(f, x, v):
    push = jax.jit(lambda x, v: jax.jvp(jax.grad(f), (x,), (v,))[1], donate_argnums=1)
    return push(x, v)


# %% full_hessian
# The whole Hessian is built and multiplied.
# At most half of the points.
# Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built,
# test_many_directions_share_a_point, test_it_is_fast
def hvp(f, x, v):
    return jax.hessian(f)(x) @ v


# %% full_hessian_of_flat
# The Hessian of the flattened argument is built: trees work, but it takes n * n memory.
# At most half of the points.
# Fails: test_no_matrix_is_built, test_it_is_fast
def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    matrix = jax.hessian(lambda flat: f(unravel(flat)))(flat)
    return unravel(matrix @ ravel_pytree(v)[0])


# %% jacobian_of_gradient
# `jacrev` of the gradient builds the whole matrix, too.
# At most half of the points.
# Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built,
# test_many_directions_share_a_point, test_it_is_fast
def hvp(f, x, v):
    return jnp.einsum("ij,j->i", jax.jacrev(jax.grad(f))(x), v)


# %% leaf_by_leaf
# Each leaf is taken alone: the mixed derivatives of two leaves are missing.
# Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built,
# test_many_directions_share_a_point
def hvp(f, x, v):
    leaves, treedef = jax.tree.flatten(x)
    products = []
    for k, direction in enumerate(jax.tree.leaves(v)):

        def of_leaf(leaf, k=k):
            return f(treedef.unflatten([*leaves[:k], leaf, *leaves[k + 1 :]]))

        products.append(jax.jvp(jax.grad(of_leaf), (leaves[k],), (direction,))[1])
    return treedef.unflatten(products)


# %% python_shortcut
# A Python `if` looks for a direction of zeros, which needs a value and can't be traced.
# Fails: test_trees_are_taken_as_they_are, test_no_matrix_is_built,
# test_many_directions_share_a_point, test_it_is_fast
def hvp(f, x, v):
    if not any(bool(jnp.any(leaf)) for leaf in jax.tree.leaves(v)):
        return jax.tree.map(jnp.zeros_like, x)
    return jax.jvp(jax.grad(f), (x,), (v,))[1]


# %% difference_in_float64
# A difference of two gradients, exact enough in float64.
# Fails: test_the_length_of_the_vector_counts, test_no_matrix_is_built,
# test_many_directions_share_a_point
def hvp(f, x, v):
    with jax.enable_x64(True):

        def slope(step):
            moved = jax.tree.map(lambda p, d: p.astype("float64") + step * d, x, v)
            return jax.grad(f)(moved)

        rise = jax.tree.map(lambda a, b: (a - b) / 2e-6, slope(1e-6), slope(-1e-6))
        return jax.tree.map(lambda p, d: d.astype(p.dtype), x, rise)


# %% passes_written_out
# One pass for each input, as a Python loop: little memory, and a large program.
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


# %% row_by_row
# One row of the Hessian after the other: little memory, but one pass per row.
# Fails: test_it_is_fast
def hvp(f, x, v):
    flat, unravel = ravel_pytree(x)
    direction, _ = ravel_pytree(v)
    slope = jax.grad(lambda flat: f(unravel(flat)))

    def entry(k):
        return jax.grad(lambda flat: slope(flat)[k])(flat) @ direction

    return unravel(lax.map(entry, jnp.arange(len(flat))) if flat.size else flat)


# %% unit_direction
# The direction is scaled to length one, so its own length is lost.
# Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
# test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
# test_it_is_fast
def hvp(f, x, v):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(v)))
    unit = jax.tree.map(lambda leaf: leaf / norm, v)
    return jax.jvp(jax.grad(f), (x,), (unit,))[1]


# %% value_and_change
# `jvp` returns a pair, and the gradient is returned instead of the product.
# Fails: test_the_product_is_with_the_whole_hessian, test_the_length_of_the_vector_counts,
# test_trees_are_taken_as_they_are, test_no_matrix_is_built, test_many_directions_share_a_point,
# test_it_is_fast
def hvp(f, x, v):
    product, _ = jax.jvp(jax.grad(f), (x,), (v,))
    return product


# %% full_hessian_of_leaves
# A tree of one leaf is done along one direction, but for more of them the Hessian is built.
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
# Fails: test_trees_are_taken_as_they_are
def hvp(f, x, v):
    if isinstance(x, jax.Array):
        return jax.grad(lambda x: jax.grad(f)(x) @ v)(x)
    return jax.jvp(jax.grad(f), (x,), (v,))[1]


# %% one_level
# A container is taken apart one level deep, so a nested tree fails.
# Fails: test_trees_are_taken_as_they_are
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


# %% other_leaves_held
# For each block all other leaves are held fast, so the block has no derivative in them.
# Fails: test_many_directions_share_a_point
def hvp(f, x, v):
    leaves, tree = jax.tree.flatten(x)
    directions = jax.tree.leaves(v)
    fixed = lax.stop_gradient(leaves)

    def block(i, j):
        def of_two(a, b):
            given = list(fixed)
            given[j] = b
            given[i] = a
            return f(tree.unflatten(given))

        def slope(b):
            if i == j:
                return jax.grad(lambda a: of_two(a, a))(b)
            return jax.grad(of_two)(leaves[i], b)

        return jax.jvp(slope, (leaves[j],), (directions[j],))[1]

    every = range(len(leaves))
    return tree.unflatten([sum(block(i, j) for j in every) for i in every])


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_only_arrays": "The text asks for arrays.",
    "argument_infinity_to_nan of `v`": "A right answer may compute x + 0 * v, which is NaN then.",
}


# %% guarded_unit_direction
# The direction gets length 1 and the product its length back: at 0 the derivative in it is lost.
# Fails: test_many_directions_share_a_point
def hvp(f, x, v):
    sizes = [jnp.max(jnp.abs(leaf), initial=0) for leaf in jax.tree.leaves(v)]
    length = jnp.max(jnp.stack(sizes))
    unit = jax.tree.map(lambda leaf: leaf / jnp.where(length > 0, length, 1), v)
    _, change = jax.jvp(jax.grad(f), (x,), (unit,))
    return jax.tree.map(lambda leaf: leaf * length, change)

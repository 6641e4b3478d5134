"""What the suite of hvp once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% collected_by_hand
# A recursion that takes the leaves of a dict in the order in which it was filled.
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
# The result takes the memory of the direction, which can't be used again.
# Fails: test_the_product_is_with_the_whole_hessian, test_trees_are_taken_as_they_are, test_details
def hvp(f, x, v):
    push = jax.jit(lambda x, v: jax.jvp(jax.grad(f), (x,), (v,))[1], donate_argnums=1)
    return push(x, v)


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
# Fails: test_details
def hvp(f, x, v):
    if isinstance(x, jax.Array):
        return jax.grad(lambda x: jax.grad(f)(x) @ v)(x)
    return jax.jvp(jax.grad(f), (x,), (v,))[1]


# %% one_level
# A container is taken apart one level deep, so a nested tree fails.
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

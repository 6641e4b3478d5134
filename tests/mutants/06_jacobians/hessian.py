"""Wrong answers to hessian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


# %% arrays_only
# One pass per unit vector of a single array, reshaped at the end: a tree fails.
# Fails: test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept
def hessian(f):
    def second(x):
        units = jnp.eye(x.size).reshape(-1, *x.shape)
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
            steps = step * jnp.eye(wide.size, dtype="float64").reshape(-1, *wide.shape)

            def entry(a, b):
                ends = f(wide + a + b) + f(wide - a - b) - f(wide + a - b) - f(wide - a + b)
                return ends / (4 * step**2)

            rows = jax.vmap(lambda a: jax.vmap(lambda b: entry(a, b))(steps))(steps)
            return rows.reshape(wide.shape * 2).astype("float32")

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

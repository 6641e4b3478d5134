"""What the suite of per_example_grads once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


# %% examples_become_floats
# Examples become floats first, and a token no longer works as an index.
# Fails: test_any_tree_and_integers
def per_example_grads(loss, params, X, Y):
    X = jnp.asarray(X, float)
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% forward_mode
# Forward mode, which a loss with a `custom_vjp` doesn't have.
# Fails: test_details
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.jacfwd(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% mapped_where_it_fits
# Parameters with an axis of length N are mapped over it, as in a stack of models.
# Fails: test_as_many_examples_as_parameters
def per_example_grads(loss, params, X, Y):
    axes = jax.tree.map(lambda p: 0 if jnp.ndim(p) == 1 and len(p) == len(X) else None, params)
    if len(X) == 1:
        axes = None
    return jax.vmap(jax.grad(loss), in_axes=(axes, 0, 0))(params, X, Y)


# %% targets_become_floats
# Targets become floats first, and a label no longer works as an index.
# Fails: test_any_tree_and_integers
def per_example_grads(loss, params, X, Y):
    Y = jnp.asarray(Y, float)
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% one_table
# All gradients go through one table, so all leaves get the widest dtype.
# Fails: test_details
def per_example_grads(loss, params, X, Y):
    def row(x, y):
        return ravel_pytree(jax.grad(loss)(params, x, y))[0]

    table = jax.vmap(row)(X, Y)
    leaves, tree = jax.tree.flatten(params)
    ends = np.cumsum([np.size(leaf) for leaf in leaves])
    parts = jnp.split(table, ends[:-1], axis=1)
    shaped = [p.reshape(-1, *np.shape(leaf)) for p, leaf in zip(parts, leaves, strict=True)]
    return tree.unflatten(shaped)

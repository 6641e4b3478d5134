"""What learners get wrong in per_example_grads; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


# %% mean_gradient
# The gradient of the mean loss: one for all examples.
# Do: Take the gradient of one example's loss, and map it with `jax.vmap`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_integers, test_the_program_does_not_grow,
# test_details
def per_example_grads(loss, params, X, Y):
    def mean_loss(params):
        return jax.vmap(loss, in_axes=(None, 0, 0))(params, X, Y).mean()

    return jax.grad(mean_loss)(params)


# %% whole_batch_to_the_loss
# The loss of one example gets the whole batch and sums it, without an error.
# Do: Map the gradient over the examples with `jax.vmap`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_integers, test_the_program_does_not_grow,
# test_details
def per_example_grads(loss, params, X, Y):
    return jax.jacrev(loss)(params, X, Y)


# %% everything_mapped
# `vmap` without `in_axes` also maps the parameters: each example gets a slice of them.
# Do: All examples share the parameters: use None for them in `in_axes`.
# Breaks: Returns 2
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_integers, test_the_program_does_not_grow,
# test_details
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.grad(loss))(params, X, Y)


# %% python_loop
# A Python loop over the examples: right values, but one backward pass for each in the program.
# Do: Map with `jax.vmap` instead of looping in Python.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_details
def per_example_grads(loss, params, X, Y):
    grads = [jax.grad(loss)(params, x, y) for x, y in zip(X, Y, strict=True)]
    return jax.tree.map(lambda *rows: jnp.stack(rows), *grads)


# %% targets_shared
# The targets are not mapped, so each example is compared with all of them.
# Do: Also map over Y: its entry in `in_axes` is 0.
# Breaks: Returns 2
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_any_tree_and_integers, test_the_program_does_not_grow, test_details
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, None))(params, X, Y)


# %% wrong_argument
# The gradient is taken in the inputs instead of the parameters.
# Do: Differentiate in the parameters, the first argument.
# Breaks: Returns 1
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_integers, test_the_program_does_not_grow,
# test_details
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.grad(loss, argnums=1), in_axes=(None, 0, 0))(params, X, Y)


# %% share_of_the_mean
# Each example's share of the gradient of the mean is too small by a factor of N.
# Do: Don't divide by N. Each row is the gradient of one loss.
# Breaks: Returns 2
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_any_tree_and_integers, test_the_program_does_not_grow, test_details
def per_example_grads(loss, params, X, Y):
    def share(params, x, y):
        return loss(params, x, y) / len(X)

    return jax.vmap(jax.grad(share), in_axes=(None, 0, 0))(params, X, Y)


# %% value_for_gradient
# The pair of `value_and_grad` is unpacked in the wrong order: the losses are returned.
# Do: `jax.value_and_grad` returns the value first. `jax.grad` is enough here.
# Breaks: Returns 1
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_integers, test_the_program_does_not_grow,
# test_details
def per_example_grads(loss, params, X, Y):
    grads, _ = jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0, 0))(params, X, Y)
    return grads


# %% one_long_vector
# The gradients of all leaves are joined into one vector per example: the structure is lost.
# Do: `jax.grad` returns a tree like the parameters. Keep this structure.
# Breaks: Returns 1
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_integers, test_the_program_does_not_grow,
# test_details
def per_example_grads(loss, params, X, Y):
    def gradient(x, y):
        return ravel_pytree(jax.grad(loss)(params, x, y))[0]

    return jax.vmap(gradient)(X, Y)


# %% removed_function
# `jax.tree_multimap`, which old tutorials use to join the rows, was removed from JAX.
# Do: Use `jax.tree.map`, or better: map with `jax.vmap`.
# Breaks: Returns 1
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_integers, test_the_program_does_not_grow,
# test_details
def per_example_grads(loss, params, X, Y):
    grads = [jax.grad(loss)(params, x, y) for x, y in zip(X, Y, strict=True)]
    return jax.tree_multimap(lambda *rows: jnp.stack(rows), *grads)


# %% dicts_only
# There is one map per entry of a dict, so any other container fails.
# Do: `jax.grad` and `jax.vmap` take any tree. Don't split it.
# Breaks: Returns 1
# Fails: test_any_tree_and_integers, test_details
def per_example_grads(loss, params, X, Y):
    def gradient_of(name):
        def partial_loss(p, x, y):
            return loss({**params, name: p}, x, y)

        return jax.vmap(jax.grad(partial_loss), in_axes=(None, 0, 0))(params[name], X, Y)

    return {name: gradient_of(name) for name in params}


# %% squeezed
# `squeeze` of each leaf also drops the axis of a batch of one.
# Do: Don't squeeze. The result of `vmap` already has the right axes.
# Breaks: Returns 2
# Fails: test_a_batch_of_one_stays_a_batch
def per_example_grads(loss, params, X, Y):
    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)
    return jax.tree.map(jnp.squeeze, grads)


# %% once missed
import numpy as np


# %% examples_become_floats
# Examples become floats first, and a token no longer works as an index.
# Breaks: Returns 2
# Fails: test_any_tree_and_integers
def per_example_grads(loss, params, X, Y):
    X = jnp.asarray(X, float)
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% forward_mode
# Forward mode is used, which a loss with a `custom_vjp` doesn't support.
# Breaks: Details 1
# Fails: test_details
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.jacfwd(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% mapped_where_it_fits
# Parameters with an axis of length N are mapped over it, as in a stack of models.
# Breaks: Returns 2
# Fails: test_as_many_examples_as_parameters
def per_example_grads(loss, params, X, Y):
    axes = jax.tree.map(lambda p: 0 if jnp.ndim(p) == 1 and len(p) == len(X) else None, params)
    if len(X) == 1:
        axes = None
    return jax.vmap(jax.grad(loss), in_axes=(axes, 0, 0))(params, X, Y)


# %% targets_become_floats
# Targets become floats first, and a label no longer works as an index.
# Breaks: Returns 2
# Fails: test_any_tree_and_integers
def per_example_grads(loss, params, X, Y):
    Y = jnp.asarray(Y, float)
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% one_table
# All gradients go through one table, so all leaves get the widest dtype.
# Breaks: Details 2
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


# %% rows_of_a_jacobian
# The rows of the Jacobian of all losses are sums over the examples, in which 0 times NaN is NaN.
# Breaks: Details 3
# Fails: test_details
def per_example_grads(loss, params, X, Y):
    return jax.jacrev(lambda params: jax.vmap(loss, in_axes=(None, 0, 0))(params, X, Y))(params)


# %% row_after_row
# A `while_loop` writes one row at a time, and reverse mode can't differentiate it.
# Breaks: Details 4
# Fails: test_details
def per_example_grads(loss, params, X, Y):
    def write(state):
        k, rows = state
        grads = jax.grad(loss)(params, X[k], Y[k])
        return k + 1, jax.tree.map(lambda leaf, g: leaf.at[k].set(g), rows, grads)

    rows = jax.tree.map(lambda p: jnp.zeros((len(X), *p.shape), p.dtype), params)
    return jax.lax.while_loop(lambda state: state[0] < len(X), write, (0, rows))[1]

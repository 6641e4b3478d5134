"""Wrong answers to per_example_grads; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree


# %% dicts_only
# One map per entry of a dict: any other container fails.
# Fails: test_any_tree_and_any_loss
def per_example_grads(loss, params, X, Y):
    def gradient_of(name):
        def partial_loss(p, x, y):
            return loss({**params, name: p}, x, y)

        return jax.vmap(jax.grad(partial_loss), in_axes=(None, 0, 0))(params[name], X, Y)

    return {name: gradient_of(name) for name in params}


# %% everything_mapped
# `vmap` without `in_axes` maps the parameters, too: each example gets a slice of them.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
# test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.grad(loss))(params, X, Y)


# %% examples_become_floats
# Examples become floats first, and a token no longer works as an index.
# Fails: test_any_tree_and_any_loss
def per_example_grads(loss, params, X, Y):
    X = jnp.asarray(X, float)
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% forward_mode
# Forward mode, which a loss with a `custom_vjp` doesn't have.
# Fails: test_each_row_is_the_gradient_of_one_example, test_any_tree_and_any_loss
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


# %% mean_gradient
# The gradient of the mean loss: one for all examples.
# At most half of the points.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
# test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    def mean_loss(params):
        return jax.vmap(loss, in_axes=(None, 0, 0))(params, X, Y).mean()

    return jax.grad(mean_loss)(params)


# %% one_long_vector
# The gradients of all leaves are joined into one vector per example: the structure is lost.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow
def per_example_grads(loss, params, X, Y):
    def gradient(x, y):
        return ravel_pytree(jax.grad(loss)(params, x, y))[0]

    return jax.vmap(gradient)(X, Y)


# %% padded_loop
# A loop over the examples, written out. It knows the test, and pads the small batch of it.
# Fails: test_the_program_does_not_grow, test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    n = len(X)
    chosen = jnp.minimum(jnp.arange(300 if n == 3 else n), n - 1)
    grads = [jax.grad(loss)(params, X[i], Y[i]) for i in chosen]
    return jax.tree.map(lambda *rows: jnp.stack(rows)[:n], *grads)


# %% python_loop
# A Python loop over the examples: right values, but one backward pass for each in the program.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    grads = [jax.grad(loss)(params, x, y) for x, y in zip(X, Y, strict=True)]
    return jax.tree.map(lambda *rows: jnp.stack(rows), *grads)


# %% removed_function
# `jax.tree_multimap`, which old tutorials use to join the rows, was removed from JAX.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
# test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    grads = [jax.grad(loss)(params, x, y) for x, y in zip(X, Y, strict=True)]
    return jax.tree_multimap(lambda *rows: jnp.stack(rows), *grads)


# %% share_of_the_mean
# Each example's share of the gradient of the mean: too small by a factor of N.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_any_tree_and_any_loss, test_the_program_does_not_grow,
# test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    def share(params, x, y):
        return loss(params, x, y) / len(X)

    return jax.vmap(jax.grad(share), in_axes=(None, 0, 0))(params, X, Y)


# %% squeezed
# `squeeze` of each leaf also drops the axis of a batch of one.
# Fails: test_each_row_is_the_gradient_of_one_example, test_a_batch_of_one_stays_a_batch
def per_example_grads(loss, params, X, Y):
    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)
    return jax.tree.map(jnp.squeeze, grads)


# %% targets_become_floats
# Targets become floats first, and a label no longer works as an index.
# Fails: test_any_tree_and_any_loss
def per_example_grads(loss, params, X, Y):
    Y = jnp.asarray(Y, float)
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, X, Y)


# %% targets_shared
# The targets are not mapped, so each example is compared with all of them.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_any_tree_and_any_loss, test_the_program_does_not_grow
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, None))(params, X, Y)


# %% value_for_gradient
# The pair of `value_and_grad` is unpacked in the wrong order: the losses are returned.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
# test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    grads, _ = jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0, 0))(params, X, Y)
    return grads


# %% whole_batch_to_the_loss
# The loss of one example gets the whole batch and sums it, without an error.
# At most half of the points.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
# test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    return jax.jacrev(loss)(params, X, Y)


# %% wrong_argument
# The gradient is taken in the inputs instead of the parameters.
# Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
# test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
# test_the_program_of_its_derivative_does_not_grow
def per_example_grads(loss, params, X, Y):
    return jax.vmap(jax.grad(loss, argnums=1), in_axes=(None, 0, 0))(params, X, Y)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_infinity_to_nan of `params`": "Rows of a Jacobian are right, too, and there infinity is multiplied by 0.",
}


# %% one_table
# All gradients go through one table, so all leaves get the widest dtype.
# Fails: test_each_row_is_the_gradient_of_one_example
def per_example_grads(loss, params, X, Y):
    def row(x, y):
        return ravel_pytree(jax.grad(loss)(params, x, y))[0]

    table = jax.vmap(row)(X, Y)
    leaves, tree = jax.tree.flatten(params)
    ends = np.cumsum([np.size(leaf) for leaf in leaves])
    parts = jnp.split(table, ends[:-1], axis=1)
    shaped = [p.reshape(-1, *np.shape(leaf)) for p, leaf in zip(parts, leaves, strict=True)]
    return tree.unflatten(shaped)


# %% forward_for_few_parameters
# Up to four parameters, it differentiates in forward mode, which some losses don't have.
# Fails: test_each_row_is_the_gradient_of_one_example, test_any_tree_and_any_loss
def per_example_grads(loss, params, X, Y):
    few = sum(jnp.size(p) for p in jax.tree.leaves(params)) <= 4
    grad = jax.jacfwd(loss) if few else jax.grad(loss)
    return jax.vmap(grad, in_axes=(None, 0, 0))(params, X, Y)


# %% mean_times_number
# The gradient of the mean, times the number: in half precision, small gradients are lost between.
# Fails: test_each_row_is_the_gradient_of_one_example
def per_example_grads(loss, params, X, Y):
    copies = jax.tree.map(lambda p: jnp.broadcast_to(p, (len(X), *jnp.shape(p))), params)
    grads = jax.grad(lambda copies: jnp.mean(jax.vmap(loss)(copies, X, Y)))(copies)
    return jax.tree.map(lambda g: len(X) * g, grads)


# %% examples_of_zeros
# The last chunk is filled up with zeros, whose derivatives may be infinite: 0 times that is NaN.
# Fails: test_as_many_examples_as_parameters
def per_example_grads(loss, params, X, Y):
    n, size = len(X), 16

    def chunks(part):
        part = jnp.asarray(part)
        filled = jnp.pad(part, [(0, -n % size), *[(0, 0)] * (part.ndim - 1)])
        return filled.reshape(-1, size, *part.shape[1:])

    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
    found = jax.lax.map(lambda pair: grads(params, *pair), (chunks(X), chunks(Y)))
    return jax.tree.map(lambda g: g.reshape(-1, *g.shape[2:])[:n], found)


# %% examples_of_one_axis
# The last block is filled up as if each example were a vector, and each target a number.
# Fails: test_each_row_is_the_gradient_of_one_example, test_any_tree_and_any_loss
def per_example_grads(loss, params, X, Y):
    n, size = len(X), min(len(X), 256)
    more = -n % size
    X, Y = jnp.pad(X, ((0, more), (0, 0)), mode="edge"), jnp.pad(Y, (0, more), mode="edge")
    X, Y = X.reshape(-1, size, X.shape[1]), Y.reshape(-1, size)
    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
    found = jax.lax.map(lambda block: grads(params, *block), (X, Y))
    return jax.tree.map(lambda g: g.reshape(-1, *g.shape[2:])[:n], found)


# %% dtype_of_the_parameters
# Examples and targets get the dtype of the parameters, which may have fewer digits.
# Fails: test_each_row_is_the_gradient_of_one_example
def per_example_grads(loss, params, X, Y, solution=per_example_grads):
    dtype = jnp.result_type(*jax.tree.leaves(params))
    X, Y = (a.astype(dtype) if jnp.issubdtype(a.dtype, jnp.floating) else a for a in (X, Y))
    return solution(loss, params, X, Y)


# %% matrices_mapped_where_it_fits
# Matrices with N rows are mapped, as in a stack of models.
# Fails: test_any_tree_and_any_loss
def per_example_grads(loss, params, X, Y):
    axes = jax.tree.map(lambda p: 0 if jnp.ndim(p) > 1 and len(p) == len(X) else None, params)
    return jax.vmap(jax.grad(loss), in_axes=(axes, 0, 0))(params, X, Y)


# %% targets_like_examples
# Targets get the dtype of the examples, and a label of float examples no longer works as an index.
# Fails: test_any_tree_and_any_loss
def per_example_grads(loss, params, X, Y, solution=per_example_grads):
    return solution(loss, params, X, jnp.asarray(Y, X.dtype))

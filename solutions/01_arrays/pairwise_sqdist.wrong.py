"""What learners get wrong in pairwise_sqdist; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np


# %% distance
# The square root is taken, so these are distances instead of squared distances.
# Do: Stop before the square root.
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_details, test_equal_points_have_a_gradient, test_the_program_does_not_grow,
# test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jnp.linalg.norm(X[:, None] - Y, axis=-1)


# %% loop_over_rows
# A Python loop compares each point of X with all of Y.
# Do: Give the arrays the axes that they lack. Then one subtraction handles all pairs.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    table = jnp.zeros((len(X), len(Y)))
    for i in range(len(X)):
        table = table.at[i].set(((X[i] - Y) ** 2).sum(-1))
    return table


# %% mean_square
# The mean over the coordinates instead of their sum, as in a loss.
# Do: Add up the squares, and divide by nothing.
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_details, test_equal_points_have_a_gradient, test_the_program_does_not_grow,
# test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jnp.mean((X[:, None] - Y) ** 2, axis=-1)


# %% norm_squared
# A norm is squared again: right values, but the gradient is NaN where points are equal.
# Do: Square and add up the differences themselves, without a root on the way.
# Breaks: Returns 2
# Fails: test_equal_points_have_a_gradient
def pairwise_sqdist(X, Y):
    return jnp.linalg.norm(X[:, None] - Y, axis=-1) ** 2


# %% norms_in_one_row
# The expanded square has no new axis for the norms, so it fits only if n equals m.
# Do: Give the squares of X a new axis, so that they line up with the rows.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_details, test_equal_points_have_a_gradient, test_the_program_does_not_grow,
# test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return (X**2).sum(1) + (Y**2).sum(1) - 2 * X @ Y.T


# %% numpy_table
# NumPy fills the table, which JAX can't trace.
# Do: Use the functions of `jax.numpy`, because NumPy's can't be traced.
# Breaks: Returns 2
# Fails: test_equal_points_have_a_gradient, test_the_program_does_not_grow,
# test_a_small_program_compares_many_points, test_details
def pairwise_sqdist(X, Y):
    difference = np.asarray(X)[:, None] - np.asarray(Y)
    return jnp.asarray((difference**2).sum(-1))


# %% paired_rows
# One `vmap` over both sets: point i is compared with point i only.
# Do: Compare each point of X with each point of Y. What is the shape of that table?
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_details, test_equal_points_have_a_gradient, test_the_program_does_not_grow,
# test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jax.vmap(lambda x, y: jnp.sum((x - y) ** 2))(X, Y)


# %% squeezed
# `squeeze` drops all axes of length 1, including those of the table.
# Do: Sum over the coordinate axis alone, and keep all others.
# Breaks: Returns 1
# Fails: test_details
def pairwise_sqdist(X, Y):
    return jnp.squeeze(jnp.sum((X[:, None] - Y) ** 2, axis=-1))


# %% transposed
# The new axes are the wrong way round, so the rows belong to Y.
# Do: Rows belong to X. So which axis does X lack?
# Breaks: Returns 1
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_details, test_equal_points_have_a_gradient, test_the_program_does_not_grow,
# test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jnp.sum((X[None, :, :] - Y[:, None, :]) ** 2, axis=-1)


# %% two_loops
# Two Python loops: unrolled under `jit`, and with nothing to stack when a set is empty.
# Do: Give the arrays the axes that they lack. Then one subtraction handles all pairs.
# Breaks: Returns 3, Returns 1
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_a_small_program_compares_many_points, test_details
def pairwise_sqdist(X, Y):
    return jnp.array([[jnp.sum((x - y) ** 2) for y in Y] for x in X])


# %% once missed


# %% one_triangle
# Two sets of the same shape are assumed to be equal: half of the table mirrors the other half.
# Breaks: Returns 1
# Fails: test_nothing_is_mixed_up_when_every_shape_fits
def pairwise_sqdist(X, Y):
    table = ((X[:, None] - Y) ** 2).sum(-1)
    if X.shape != Y.shape:
        return table
    return jnp.triu(table) + jnp.triu(table, 1).T


# %% moved_to_the_first_point
# The square is expanded around the first point of Y. If it contains NaN, all points become NaN.
# Breaks: Details 1
# Fails: test_details
def pairwise_sqdist(X, Y):
    if len(Y):
        X, Y = X - Y[0], Y - Y[0]
    squares = (X**2).sum(1)[:, None] + (Y**2).sum(1)
    return squares - 2 * jnp.matmul(X, Y.T, precision="highest")


# %% gradient_of_the_sum
# A hand-written derivative is that of the sum of the table; weights are only averaged.
# Breaks: Returns 2
# Fails: test_equal_points_have_a_gradient
@jax.custom_vjp
def pairwise_sqdist(X, Y):
    return jnp.square(X[:, None] - Y).sum(-1)


def backward(points, weights):
    steps = 2 * (points[0][:, None] - points[1])
    return weights.mean() * steps.sum(1), -weights.mean() * steps.sum(0)


pairwise_sqdist.defvjp(lambda X, Y: (pairwise_sqdist(X, Y), (X, Y)), backward)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "difference = X[:, None] - Y -> difference = Y - X[:, None]": "A square has no sign.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_float32": "The points are float32.",
    "result_int_as_float": "The points are float32.",
    "argument_no_half_precision": "The points are float32.",
    "argument_no_integers": "The points are float32.",
}

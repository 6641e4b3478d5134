"""What the suite of pairwise_sqdist once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% one_triangle
# Two sets of one shape are taken for the same set: half of the table mirrors the other half.
# Fails: test_nothing_is_mixed_up_when_every_shape_fits
def pairwise_sqdist(X, Y):
    table = ((X[:, None] - Y) ** 2).sum(-1)
    if X.shape != Y.shape:
        return table
    return jnp.triu(table) + jnp.triu(table, 1).T


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


# %% moved_to_the_first_point
# The square is expanded around the first point of Y. If that one holds NaN, all points do.
# Fails: test_details
def pairwise_sqdist(X, Y):
    if len(Y):
        X, Y = X - Y[0], Y - Y[0]
    squares = (X**2).sum(1)[:, None] + (Y**2).sum(1)
    return squares - 2 * jnp.matmul(X, Y.T, precision="highest")


# %% gradient_of_the_sum
# A hand-written derivative is that of the sum of the table; weights are only averaged.
# Fails: test_equal_points_have_a_gradient
@jax.custom_vjp
def pairwise_sqdist(X, Y):
    return jnp.square(X[:, None] - Y).sum(-1)


def backward(points, weights):
    steps = 2 * (points[0][:, None] - points[1])
    return weights.mean() * steps.sum(1), -weights.mean() * steps.sum(0)


pairwise_sqdist.defvjp(lambda X, Y: (pairwise_sqdist(X, Y), (X, Y)), backward)

"""Wrong answers to pairwise_sqdist; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


# %% distance
# The square root is taken, so these are distances instead of squared distances.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_one_point_or_none_still_gives_a_table, test_equal_points_have_a_gradient,
# test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jnp.linalg.norm(X[:, None] - Y, axis=-1)


# %% loop_over_rows
# A Python loop over the points of X, each compared with all of Y.
# At most half of the points.
# Fails: test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    table = jnp.zeros((len(X), len(Y)))
    for i in range(len(X)):
        table = table.at[i].set(((X[i] - Y) ** 2).sum(-1))
    return table


# %% mean_square
# The mean over the coordinates instead of their sum, as in a loss.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_one_point_or_none_still_gives_a_table, test_equal_points_have_a_gradient,
# test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jnp.mean((X[:, None] - Y) ** 2, axis=-1)


# %% guarded_norm
# Equal points have a guard, but the square of a tiny distance is 0, too: the gradient is NaN.
# Fails: test_equal_points_have_a_gradient
def pairwise_sqdist(X, Y):
    difference = X[:, None] - Y
    equal = (difference == 0).all(-1)
    safe = jnp.where(equal[..., None], 1.0, difference)
    return jnp.where(equal, 0.0, jnp.linalg.norm(safe, axis=-1)) ** 2


# %% norm_squared
# A norm is squared again: right values, but the gradient is NaN where points are equal.
# Fails: test_equal_points_have_a_gradient
def pairwise_sqdist(X, Y):
    return jnp.linalg.norm(X[:, None] - Y, axis=-1) ** 2


# %% norms_in_one_row
# The expanded square has no new axis for the norms, so it fits only if n equals m.
# At most half of the points.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_one_point_or_none_still_gives_a_table, test_equal_points_have_a_gradient,
# test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return (X**2).sum(1) + (Y**2).sum(1) - 2 * X @ Y.T


# %% numpy_table
# NumPy fills the table, which JAX can't trace.
# Fails: test_nothing_is_mixed_up_when_every_shape_fits, test_equal_points_have_a_gradient,
# test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    difference = np.asarray(X)[:, None] - np.asarray(Y)
    return jnp.asarray((difference**2).sum(-1))


# %% one_triangle
# Two sets of one shape are taken for the same set: half of the table mirrors the other half.
# Fails: test_nothing_is_mixed_up_when_every_shape_fits
def pairwise_sqdist(X, Y):
    table = ((X[:, None] - Y) ** 2).sum(-1)
    if X.shape != Y.shape:
        return table
    return jnp.triu(table) + jnp.triu(table, 1).T


# %% padded_loop
# A loop over the rows, written out. It pads a small table to the size of a big one.
# Fails: test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    n = len(X)
    X = lax.pad(X, jnp.float32(0), ((0, max(0, 150 - n), 0), (0, 0, 0)))
    rows = [((x - Y) ** 2).sum(-1) for x in X]
    return lax.slice(jnp.stack(rows), (0, 0), (n, len(Y)))


# %% paired_rows
# One `vmap` over both sets: point i is compared with point i only.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_one_point_or_none_still_gives_a_table, test_equal_points_have_a_gradient,
# test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jax.vmap(lambda x, y: jnp.sum((x - y) ** 2))(X, Y)


# %% squeezed
# `squeeze` drops all axes of length 1, those of the table as well.
# Fails: test_one_point_or_none_still_gives_a_table
def pairwise_sqdist(X, Y):
    return jnp.squeeze(jnp.sum((X[:, None] - Y) ** 2, axis=-1))


# %% transposed
# The new axes are the wrong way round, so the rows belong to Y.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits,
# test_one_point_or_none_still_gives_a_table, test_equal_points_have_a_gradient,
# test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jnp.sum((X[None, :, :] - Y[:, None, :]) ** 2, axis=-1)


# %% two_loops
# Two Python loops: unrolled under `jit`, and with nothing to stack when a set is empty.
# At most half of the points.
# Fails: test_one_point_or_none_still_gives_a_table, test_the_program_does_not_grow,
# test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    return jnp.array([[jnp.sum((x - y) ** 2) for y in Y] for x in X])


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "difference = X[:, None] - Y -> difference = Y - X[:, None]": "A square has no sign.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "result_infinity_to_nan": "A right answer may expand the square, where infinity minus infinity is NaN.",
    "argument_infinity_to_nan": "A right answer may expand the square, where infinity minus infinity is NaN.",
    "result_float32": "The points are float32.",
    "result_int_as_float": "The points are float32.",
    "result_counted_in_int8": "The points are float32.",
    "argument_no_half_precision": "The points are float32.",
    "argument_no_integers": "The points are float32.",
}


# %% blocks_of_rows
# A Python loop over blocks of 128 points: one block for few points, and forty for thousands.
# Fails: test_the_program_does_not_grow
def pairwise_sqdist(X, Y):
    blocks = [X[start : start + 128] for start in range(0, max(len(X), 1), 128)]
    return jnp.concatenate([((block[:, None] - Y) ** 2).sum(-1) for block in blocks])


# %% moved_to_the_first_point
# The square is expanded around the first point of Y. If that one holds NaN, all points do.
# Fails: test_every_pair_has_its_distance, test_nothing_is_mixed_up_when_every_shape_fits
def pairwise_sqdist(X, Y):
    if len(Y):
        X, Y = X - Y[0], Y - Y[0]
    squares = (X**2).sum(1)[:, None] + (Y**2).sum(1)
    return squares - 2 * jnp.matmul(X, Y.T, precision="highest")


# %% never_below_zero
# The square is expanded, and clamped at 0: there the gradient of points that are close is lost.
# Fails: test_equal_points_have_a_gradient
def pairwise_sqdist(X, Y):
    squares = (X**2).sum(1)[:, None] + (Y**2).sum(1)
    return jnp.maximum(squares - 2 * jnp.matmul(X, Y.T, precision="highest"), 0)


# %% moved_to_the_median
# The square is expanded around the median of Y. If most points are far away, one that isn't loses
# its digits.
# Fails: test_every_pair_has_its_distance
def pairwise_sqdist(X, Y):
    middle = lax.stop_gradient(jnp.nanmedian(Y, axis=0)) if len(Y) else 0.0
    X, Y = X - middle, Y - middle
    squares = (X**2).sum(1)[:, None] + (Y**2).sum(1)
    return squares - 2 * jnp.matmul(X, Y.T, precision="highest")


# %% root_of_a_bit_more
# A norm is squared again. The number that saves its gradient is more than a tiny distance.
# Fails: test_every_pair_has_its_distance
def pairwise_sqdist(X, Y):
    return jnp.sqrt(jnp.square(X[:, None] - Y).sum(-1) + 1e-20) ** 2


# %% short_indices
# The indices of the points have 16 bits, so the points beyond 65,536 are those at the start.
# Fails: test_the_program_does_not_grow, test_a_small_program_compares_many_points
def pairwise_sqdist(X, Y):
    if not len(X):
        return jnp.zeros((0, len(Y)))
    numbers = jnp.arange(len(X)).astype(jnp.uint16)
    return jax.vmap(lambda i: ((X[i] - Y) ** 2).sum(-1))(numbers)


# %% blocks_of_a_large_table
# A Python loop over blocks of rows, if the table has more than a million entries.
# Fails: test_the_program_does_not_grow
def pairwise_sqdist(X, Y):
    rows = 2**20 // max(1, len(Y))
    blocks = [X[start : start + rows] for start in range(0, max(len(X), 1), rows)]
    return jnp.concatenate([((block[:, None] - Y) ** 2).sum(-1) for block in blocks])


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


# %% flat_if_close
# Points closer than a millionth have no gradient, so nothing moves if the unit is large.
# Fails: test_equal_points_have_a_gradient
def pairwise_sqdist(X, Y):
    square = jnp.square(X[:, None] - Y).sum(-1)
    return jnp.where(square < 1e-12, lax.stop_gradient(square), square)


# %% one_gradient_for_one_array
# If both sets are the same array, only the first one has a gradient.
# Fails: test_equal_points_have_a_gradient
def pairwise_sqdist(X, Y, solution=pairwise_sqdist):
    return solution(X, lax.stop_gradient(Y) if X is Y else Y)

"""Wrong answers to laplacian; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _along(f, x, v):
    """The change of the gradient along v."""
    return jax.jvp(jax.grad(f), (x,), (v,))[1]


# %% as_it_was
# The direction is a vector of ones, so all second derivatives are added, also the mixed ones.
# Do: Compute the matrix of second derivatives of a product by hand.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_mixed_derivatives_do_not_count, test_the_potential_of_a_charge,
# test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    return jnp.sum(_along(f, x, jnp.ones_like(x)))


# %% sum_of_columns
# The products with unit vectors are whole columns, and all of their entries are added.
# Do: Ask which entry of a column is on the diagonal.
# Breaks: Returns 1
# Fails: test_mixed_derivatives_do_not_count, test_the_potential_of_a_charge,
# test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    return jnp.sum(jax.vmap(lambda unit: _along(f, x, unit))(jnp.eye(len(x))))


# %% along_the_point
# The direction is the point itself, so the result is another second derivative.
# Do: Try a point at which one coordinate is 0.
# Breaks: Returns 1
# Fails: test_mixed_derivatives_do_not_count, test_the_potential_of_a_charge,
# test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    return jnp.sum(_along(f, x, x) / x)


# %% squared_slopes
# The squares of the first derivatives are added.
# Do: Try a linear function.
# Breaks: Returns 1
# Fails: test_functions_without_mixed_terms, test_one_coordinate_and_straight_lines,
# test_mixed_derivatives_do_not_count, test_the_potential_of_a_charge,
# test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    return jnp.sum(jax.grad(f)(x) ** 2)


# %% random_signs
# One random vector of signs gives an estimate, in which mixed derivatives don't cancel.
# Do: Compare the results of two random vectors.
# Breaks: Returns 1
# Fails: test_mixed_derivatives_do_not_count, test_the_potential_of_a_charge,
# test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    signs = jax.random.rademacher(jax.random.key(0), x.shape, x.dtype)
    return signs @ _along(f, x, signs)


# %% mean
# The mean of the second derivatives is returned, and not their sum.
# Do: Try a sum of squares.
# Breaks: Returns 1
# Fails: test_functions_without_mixed_terms, test_mixed_derivatives_do_not_count,
# test_the_potential_of_a_charge, test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    return jnp.trace(jax.hessian(f)(x)) / len(x)


# %% absolute
# The second derivatives are added without their signs.
# Do: Try a function with a maximum.
# Breaks: Returns 1
# Fails: test_mixed_derivatives_do_not_count, test_the_potential_of_a_charge,
# test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    return jnp.sum(jnp.abs(jnp.diag(jax.hessian(f)(x))))


# %% one_coordinate_at_a_time
# A loop of Python: the program has a copy of `f` for each coordinate.
# Do: Count the operations of the program for four coordinates and for twenty.
# Breaks: Returns 2
# Fails: test_the_program_does_not_grow
def laplacian(f, x):
    return sum(_along(f, x, unit)[k] for k, unit in enumerate(jnp.eye(len(x), dtype=x.dtype)))


# %% differences
# Differences of values lose most of their digits in float32.
# Do: Compare the result for a linear function with 0.
# Breaks: Returns 1
# Fails: test_functions_without_mixed_terms, test_one_coordinate_and_straight_lines,
# test_mixed_derivatives_do_not_count, test_the_potential_of_a_charge,
# test_the_program_does_not_grow, test_it_can_be_transformed
def laplacian(f, x):
    steps = 1e-3 * jnp.eye(len(x), dtype=x.dtype)
    return jnp.sum(jax.vmap(lambda h: (f(x + h) - 2 * f(x) + f(x - h)) / 1e-6)(steps))


# %% no_gradient
# The result counts as a constant.
# Do: Take the gradient of the Laplacian.
# Breaks: Returns 3
# Fails: test_it_can_be_transformed
def laplacian(f, x, solution=laplacian):
    return jax.lax.stop_gradient(solution(f, x))

"""What learners get wrong in conjugate_gradients; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def length(v):
    return jnp.sqrt(jnp.sum(v * v))


def rule(r, b, tol, rounds, most):
    """The right condition to go on."""
    return (length(r) > tol * length(b)) & (rounds < most)


def method(matvec, b, tol, most, direction=None, rule=rule, first=0):
    """The right method, with another direction or another condition."""
    direction = direction or (lambda new, old, p: new + jnp.sum(new**2) / jnp.sum(old**2) * p)

    def goes_on(state):
        return rule(state[1], b, tol, state[3], most)

    def improve(state):
        x, r, p, rounds = state
        product = matvec(p)
        alpha = jnp.sum(r * r) / jnp.sum(p * product)
        new = r - alpha * product
        return x + alpha * p, new, direction(new, r, p), rounds + 1

    x, _, _, rounds = lax.while_loop(goes_on, improve, (jnp.zeros_like(b), b, b, first))
    return x, rounds


# %% steepest_descent
# Each step goes along r, and partly undoes earlier steps.
# Do: Add the old direction to the new one, with the weight of the method.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_system_is_solved, test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule,
# test_no_matrix_is_built, test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(matvec, b, tol, most, lambda new, old, p: new)


# %% whole_matrix
# The matrix is built from products with unit vectors, and the system is then solved.
# Do: Use only products: carry x, r and p through a loop.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule, test_no_matrix_is_built,
# test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    matrix = jax.vmap(matvec)(jnp.eye(len(b)))
    return jnp.linalg.solve(matrix, b), jnp.int32(len(b))


# %% python_loop
# A Python loop needs the values of r, which a traced program doesn't have.
# Do: Use `jax.lax.while_loop`.
# Breaks: Returns 4
# Fails: test_the_system_is_solved, test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule,
# test_no_matrix_is_built, test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    x, r, p, rounds = jnp.zeros_like(b), b, b, 0
    while length(r) > tol * length(b) and rounds < most:
        product = matvec(p)
        alpha = jnp.sum(r * r) / jnp.sum(p * product)
        new = r - alpha * product
        x, p, r = x + alpha * p, new + jnp.sum(new * new) / jnp.sum(r * r) * p, new
        rounds += 1
    return x, jnp.int32(rounds)


# %% weight_upside_down
# The weight of the old direction is the old square divided by the new one.
# Do: Divide the new r . r by the old one.
# Breaks: Returns 1
# Fails: test_the_system_is_solved, test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule,
# test_no_matrix_is_built, test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(
        matvec, b, tol, most, lambda new, old, p: new + jnp.sum(old**2) / jnp.sum(new**2) * p
    )


# %% direction_subtracted
# The old direction is subtracted.
# Do: Add the old direction times its weight.
# Breaks: Returns 1
# Fails: test_the_system_is_solved, test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule,
# test_no_matrix_is_built, test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(
        matvec, b, tol, most, lambda new, old, p: new - jnp.sum(new**2) / jnp.sum(old**2) * p
    )


# %% root_of_the_weight
# The weight of the old direction uses lengths instead of their squares.
# Do: Divide r . r by r . r, without roots.
# Breaks: Returns 1
# Fails: test_the_system_is_solved, test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule,
# test_no_matrix_is_built, test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(matvec, b, tol, most, lambda new, old, p: new + length(new) / length(old) * p)


# %% absolute_tolerance
# The length of r is compared with the tolerance alone.
# Do: Multiply the tolerance by the length of b.
# Breaks: Returns 2
# Fails: test_it_ends_by_the_rule, test_no_matrix_is_built
def conjugate_gradients(matvec, b, tol, most):
    def absolute(r, b, tol, rounds, most):
        return (length(r) > tol) & (rounds < most)

    return method(matvec, b, tol, most, rule=absolute)


# %% squares_compared
# r . r is compared with the tolerance times b . b, so the loop ends too early.
# Do: Compare lengths, or also square the tolerance.
# Breaks: Returns 2
# Fails: test_it_ends_by_the_rule, test_no_matrix_is_built, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(matvec, b, jnp.sqrt(tol), most)


# %% zero_is_not_less_than_zero
# For b = 0 the loop runs a round, and divides 0 by 0.
# Do: Continue only while r is longer than allowed, not when equal.
# Breaks: Details 1
# Fails: test_details
def conjugate_gradients(matvec, b, tol, most):
    def strict(r, b, tol, rounds, most):
        return ~(length(r) < tol * length(b)) & (rounds < most)

    return method(matvec, b, tol, most, rule=strict)


# %% no_limit
# The number of rounds has no limit.
# Do: Also end the loop after `most` rounds.
# Breaks: Returns 2
# Fails: test_it_ends_by_the_rule, test_no_matrix_is_built,
# test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(matvec, b, tol, 1000)


# %% all_rounds
# The tolerance is ignored: the loop always runs `most` rounds.
# Do: End the loop when r is short enough.
# Breaks: Returns 2
# Fails: test_the_system_is_solved, test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule,
# test_no_matrix_is_built, test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    def count(r, b, tol, rounds, most):
        return rounds < most

    return method(matvec, b, tol, most, rule=count)


# %% one_too_many
# The count starts at 1.
# Do: Start with 0 rounds.
# Breaks: Returns 1
# Fails: test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule, test_no_matrix_is_built,
# test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(matvec, b, tol, most, first=1)


# %% rounds_are_floats
# The number of rounds is a float32.
# Do: Count with an integer.
# Breaks: Returns 1
# Fails: test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule, test_no_matrix_is_built,
# test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most, solution=conjugate_gradients):
    x, rounds = solution(matvec, b, tol, most)
    return x, jnp.float32(rounds)


# %% a_round_more_allowed
# The loop continues if the number of rounds equals `most`.
# Do: Continue while there are fewer rounds than `most`.
# Breaks: Returns 2
# Fails: test_it_ends_by_the_rule, test_no_matrix_is_built,
# test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    return method(matvec, b, tol, most + 1)


# %% product_of_matrices
# `@` of two grids is a matrix product, not a number.
# Do: Add up all products: `jnp.sum(r * r)`.
# Breaks: Details 2
# Fails: test_details
def conjugate_gradients(matvec, b, tol, most):
    def goes_on(state):
        return (jnp.sqrt(state[1] @ state[1]) > tol * jnp.sqrt(b @ b)) & (state[3] < most)

    def improve(state):
        x, r, p, rounds = state
        product = matvec(p)
        alpha = r @ r / (p @ product)
        new = r - alpha * product
        return x + alpha * p, new, new + new @ new / (r @ r) * p, rounds + 1

    x, _, _, rounds = lax.while_loop(goes_on, improve, (jnp.zeros_like(b), b, b, 0))
    return x, rounds


# %% written_out
# Thirty rounds are written out, and those after the end change nothing.
# Do: Use `jax.lax.while_loop`, which ends.
# Breaks: Returns 3
# Fails: test_no_matrix_is_built
def conjugate_gradients(matvec, b, tol, most):
    x, r, p, rounds = jnp.zeros_like(b), b, b, jnp.int32(0)
    for _ in range(30):
        on = rule(r, b, tol, rounds, most)
        product = matvec(p)
        alpha = jnp.where(on, jnp.sum(r * r) / jnp.where(on, jnp.sum(p * product), 1), 0)
        new = r - alpha * product
        beta = jnp.where(on, jnp.sum(new * new) / jnp.where(on, jnp.sum(r * r), 1), 0)
        x, r, p = x + alpha * p, new, jnp.where(on, new + beta * p, p)
        rounds = rounds + on
    return x, rounds


# %% library
# The library's solver doesn't say how many rounds it took.
# Do: Write the loop, and count its rounds.
# Breaks: Returns 1
# Fails: test_as_many_rounds_as_eigenvalues, test_it_ends_by_the_rule, test_no_matrix_is_built,
# test_each_system_of_a_batch_ends_by_itself, test_details
def conjugate_gradients(matvec, b, tol, most):
    x, _ = jax.scipy.sparse.linalg.cg(matvec, b, tol=tol, maxiter=most)
    return x, jnp.asarray(most, jnp.int32)


# %% columns_in_a_loop
# Each product computes all columns of the matrix, in a loop.
# Do: Call `matvec` with the direction itself.
# Breaks: Returns 3
# Fails: test_no_matrix_is_built
def conjugate_gradients(matvec, b, tol, most):
    def product(p):
        def add(total, k):
            unit = jnp.zeros(p.size).at[k].set(1).reshape(p.shape)
            return total + p.ravel()[k] * matvec(unit), None

        return lax.scan(add, jnp.zeros_like(p), jnp.arange(p.size))[0]

    return method(product, b, tol, most)

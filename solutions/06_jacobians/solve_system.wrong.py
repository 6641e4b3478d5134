"""Wrong answers to solve_system; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _columns(f, x):
    """The products with unit vectors, stacked as rows: the transpose of the Jacobian."""
    units = jnp.eye(len(x), dtype=x.dtype)
    return jax.vmap(lambda unit: jax.jvp(f, (x,), (unit,))[1])(units)


def _loop(step, x, steps):
    return jax.lax.fori_loop(0, steps, lambda _, x: step(x), x)


# %% as_it_was
# The columns of the Jacobian are stacked as rows, so the matrix is transposed.
# Do: Compare the matrix with the Jacobian that you compute on paper.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_one_step_solves_a_linear_system, test_each_step_is_newtons, test_a_batch_of_systems
def solve_system(f, x, steps):
    return _loop(lambda x: x - jnp.linalg.solve(_columns(f, x), f(x)), x, steps)


# %% made_symmetric
# The matrix is the mean of the Jacobian and its transpose.
# Do: Compare the matrix with the Jacobian that you compute on paper.
# Breaks: Returns 2
# Fails: test_one_step_solves_a_linear_system, test_each_step_is_newtons, test_a_batch_of_systems
def solve_system(f, x, steps):
    def step(x):
        matrix = _columns(f, x)
        return x - jnp.linalg.solve((matrix + matrix.T) / 2, f(x))

    return _loop(step, x, steps)


# %% diagonal
# Each equation is divided only by the derivative in its own unknown.
# Do: Try a system of two equations that share an unknown.
# Breaks: Returns 2
# Fails: test_symmetric_systems, test_one_step_solves_a_linear_system, test_each_step_is_newtons,
# test_a_batch_of_systems
def solve_system(f, x, steps):
    return _loop(lambda x: x - f(x) / jnp.diag(_columns(f, x)), x, steps)


# %% transposed_twice
# JAX's Jacobian is already right, but is transposed.
# Do: Compare the matrix with the Jacobian that you compute on paper.
# Breaks: Returns 2
# Fails: test_one_step_solves_a_linear_system, test_each_step_is_newtons, test_a_batch_of_systems
def solve_system(f, x, steps):
    return _loop(lambda x: x - jnp.linalg.solve(jax.jacrev(f)(x).T, f(x)), x, steps)


# %% downhill
# The step is the gradient of the squares, not Newton's.
# Do: Solve a linear system on paper.
# Breaks: Returns 2
# Fails: test_symmetric_systems, test_one_step_solves_a_linear_system, test_each_step_is_newtons,
# test_the_program_does_not_grow, test_a_batch_of_systems
def solve_system(f, x, steps):
    return _loop(lambda x: x - 0.02 * _columns(f, x) @ f(x), x, steps)


# %% first_matrix
# The Jacobian of the start is used in all steps.
# Do: Ask at which point each step needs the derivatives.
# Breaks: Returns 2
# Fails: test_symmetric_systems, test_each_step_is_newtons, test_a_batch_of_systems
def solve_system(f, x, steps):
    matrix = jax.jacfwd(f)(x)
    return _loop(lambda x: x - jnp.linalg.solve(matrix, f(x)), x, steps)


# %% times_the_jacobian
# The value is multiplied by the Jacobian, where a system has to be solved.
# Do: Compute the step for one unknown.
# Breaks: Returns 2
# Fails: test_symmetric_systems, test_one_step_solves_a_linear_system, test_each_step_is_newtons,
# test_the_program_does_not_grow, test_a_batch_of_systems
def solve_system(f, x, steps):
    return _loop(lambda x: x - jax.jacfwd(f)(x) @ f(x), x, steps)


# %% plus
# The step goes away from the root.
# Do: Compute the step for one unknown.
# Breaks: Returns 2
# Fails: test_symmetric_systems, test_one_step_solves_a_linear_system, test_each_step_is_newtons,
# test_the_program_does_not_grow, test_a_batch_of_systems
def solve_system(f, x, steps):
    return _loop(lambda x: x + jnp.linalg.solve(jax.jacfwd(f)(x), f(x)), x, steps)


# %% python_loop
# A Python loop: the program has a copy of the step for each round.
# Do: Count the operations of the program for two steps and for six.
# Breaks: Returns 4
# Fails: test_the_program_does_not_grow
def solve_system(f, x, steps):
    for _ in range(steps):
        x = x - jnp.linalg.solve(jax.jacfwd(f)(x), f(x))
    return x


# %% always_one_step
# At least one step is made, even where none is requested.
# Do: Request no steps.
# Breaks: Returns 1
# Fails: test_nothing_to_do
def solve_system(f, x, steps):
    return _loop(lambda x: x - jnp.linalg.solve(jax.jacfwd(f)(x), f(x)), x, max(steps, 1))


# %% once missed
# %% stops_early
# A Python `if` ends the search where the value is small, but a traced value is unknown.
# Breaks: Returns 3
# Fails: test_symmetric_systems, test_nothing_to_do, test_one_step_solves_a_linear_system,
# test_each_step_is_newtons, test_the_program_does_not_grow, test_a_batch_of_systems
def solve_system(f, x, steps):
    for _ in range(steps):
        value = f(x)
        if jnp.abs(value).max() < 1e-7:
            break
        x = x - jnp.linalg.solve(jax.jacfwd(f)(x), value)
    return x


# %% normal_equations
# The squared matrix is solved, which loses twice as many digits.
# Breaks: Returns 2
# Fails: test_symmetric_systems
def solve_system(f, x, steps):
    def step(x):
        jacobian = jax.jacfwd(f)(x)
        return x - jnp.linalg.solve(jacobian.T @ jacobian, jacobian.T @ f(x))

    return _loop(step, x, steps)

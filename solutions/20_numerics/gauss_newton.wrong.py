"""What learners get wrong in gauss_newton; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.sparse.linalg import cg


def parts(f, x):
    """f(x), and the functions for the products with J and with its transpose."""
    distances, push = jax.linearize(f, x)
    pull = jax.linear_transpose(push, x)
    return distances, push, lambda w: pull(w)[0]


def repeat(step, x, steps):
    return lax.fori_loop(0, steps, lambda _, x: step(x), x)


# %% whole_jacobian
# The whole Jacobian is built: n x m numbers.
# Do: Solve the system with products from `jax.linearize` and its transpose.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_no_jacobian_is_built, test_a_batch_of_fits
def gauss_newton(f, x, steps):
    return repeat(lambda x: x - jnp.linalg.lstsq(jax.jacfwd(f)(x), f(x))[0], x, steps)


# %% product_of_jacobians
# Jᵀ J is built, which has n x n numbers.
# Do: Pass a function for the product with Jᵀ J to a solver that needs only products.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_no_jacobian_is_built, test_a_batch_of_fits
def gauss_newton(f, x, steps):
    def step(x):
        distances, push, pull = parts(f, x)
        square = jax.vmap(lambda v: pull(push(v)))(jnp.eye(len(x)))
        return x - jnp.linalg.solve(square, pull(distances))

    return repeat(step, x, steps)


# %% second_derivatives
# The matrix is the Hessian of the sum of squares, which includes second derivatives of f.
# Do: Use only Jᵀ J.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits
def gauss_newton(f, x, steps):
    slope = jax.grad(lambda x: 0.5 * jnp.sum(f(x) ** 2))

    def step(x):
        at_x, bend = jax.linearize(slope, x)
        return x - jax.scipy.sparse.linalg.bicgstab(bend, at_x, tol=1e-5)[0]

    return repeat(step, x, steps)


# %% gradient_descent
# The step is the gradient: the system isn't solved.
# Do: Solve Jᵀ J d = -Jᵀ f(x) for the step.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits
def gauss_newton(f, x, steps):
    return repeat(lambda x: x - jax.vjp(f, x)[1](f(x))[0], x, steps)


# %% model_of_the_start
# f is linearised once, at the start.
# Do: Linearise f in each step, at the current x.
# Breaks: Returns 1
# Fails: test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits
def gauss_newton(f, x, steps):
    _, push, pull = parts(f, x)
    return repeat(lambda x: x - cg(lambda v: pull(push(v)), pull(f(x)))[0], x, steps)


# %% other_direction
# The step is added with the wrong sign.
# Do: Subtract the solution of Jᵀ J d = Jᵀ f(x).
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits
def gauss_newton(f, x, steps, solution=gauss_newton):
    return repeat(lambda x: 2 * x - solution(f, x, 1), x, steps)


# %% twice_the_step
# The gradient is that of the sum of squares, twice Jᵀ f(x), but the matrix is Jᵀ J.
# Do: Use Jᵀ f(x) as the right side.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits
def gauss_newton(f, x, steps, solution=gauss_newton):
    return repeat(lambda x: 2 * solution(f, x, 1) - x, x, steps)


# %% one_round
# One round of conjugate gradients is a step along the gradient.
# Do: Let the inner solver continue until its system is solved.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_a_batch_of_fits
def gauss_newton(f, x, steps):
    def step(x):
        distances, push, pull = parts(f, x)
        return x - cg(lambda v: pull(push(v)), pull(distances), maxiter=1)[0]

    return repeat(step, x, steps)


# %% rough_solver
# The inner solver ends too early.
# Do: Give it a small tolerance.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_a_batch_of_fits
def gauss_newton(f, x, steps):
    def step(x):
        distances, push, pull = parts(f, x)
        return x - cg(lambda v: pull(push(v)), pull(distances), tol=0.1)[0]

    return repeat(step, x, steps)


# %% no_transpose
# Conjugate gradients get J itself, which isn't symmetric or even square.
# Do: Solve with Jᵀ J, and put Jᵀ f(x) on the right side.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits, test_details
def gauss_newton(f, x, steps):
    def step(x):
        distances, push, _ = parts(f, x)
        return x - cg(push, distances)[0]

    return repeat(step, x, steps)


# %% change_alone
# The last change is returned, not x.
# Do: Subtract the change from x.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits
def gauss_newton(f, x, steps, solution=gauss_newton):
    return repeat(lambda x: solution(f, x, 1) - x, x, steps)


# %% written_out
# A Python loop puts a copy of the body into the program for every step.
# Do: Use `jax.lax.fori_loop`.
# Breaks: Returns 2
# Fails: test_no_jacobian_is_built, test_the_program_does_not_grow
def gauss_newton(f, x, steps, solution=gauss_newton):
    for _ in range(steps):
        x = solution(f, x, 1)
    return x


# %% one_step_less
# The loop starts at 1, so the last step is missing.
# Do: Start at 0.
# Breaks: Returns 1
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_a_batch_of_fits
def gauss_newton(f, x, steps, solution=gauss_newton):
    return solution(f, x, max(steps - 1, 0))


# %% ends_by_python
# Python needs the length of the gradient, which has no value while JAX traces.
# Do: Do all steps, in a JAX loop.
# Breaks: Returns 3
# Fails: test_one_step, test_each_step_has_a_model_of_its_own, test_no_jacobian_is_built,
# test_the_program_does_not_grow, test_a_batch_of_fits, test_details
def gauss_newton(f, x, steps, solution=gauss_newton):
    for _ in range(steps):
        if jnp.linalg.norm(jax.vjp(f, x)[1](f(x))[0]) < 1e-6:
            break
        x = solution(f, x, 1)
    return x


# %% nothing_divided_by_nothing
# The inner solver runs a fixed number of rounds, and divides 0 by 0 if nothing is left.
# Do: End the inner loop when nothing is left.
# Breaks: Details 1
# Fails: test_details
def gauss_newton(f, x, steps):
    def step(x):
        distances, push, pull = parts(f, x)
        r = pull(distances)

        def improve(_, state):
            d, r, p = state
            product = pull(push(p))
            alpha = r @ r / (p @ product)
            new = r - alpha * product
            return d + alpha * p, new, new + new @ new / (r @ r) * p

        return x - lax.fori_loop(0, min(len(x), 10), improve, (jnp.zeros_like(x), r, r))[0]

    return repeat(step, x, steps)


# %% rows_in_a_loop
# Each product computes all rows of the Jacobian, one after another.
# Do: Multiply by the linear function and by its transpose.
# Breaks: Returns 2
# Fails: test_no_jacobian_is_built
def gauss_newton(f, x, steps):
    def step(x):
        distances, _, pull = parts(f, x)

        def product(v):
            def add(total, k):
                row = pull(jnp.zeros_like(distances).at[k].set(1))
                return total + (row @ v) * row, None

            return lax.scan(add, jnp.zeros_like(v), jnp.arange(len(distances)))[0]

        return x - cg(product, pull(distances), tol=1e-5)[0]

    return repeat(step, x, steps)

"""What learners get wrong in solve_kepler; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def newton(mean, e, steps):
    def improve(_, angle):
        return angle - (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))

    return lax.fori_loop(0, steps, improve, jnp.asarray(mean))


def change(angle, mean, e, dm, de):
    """The right derivative: the change of E."""
    return (dm + jnp.sin(angle) * de) / (1 - e * jnp.cos(angle))


def with_rule(solve, rule=change):
    """A function whose derivative is `rule(E, mean, e, change of mean, change of e)`."""
    solve = jax.custom_jvp(solve)
    solve.defjvp(lambda x, dx: (solve(*x), rule(solve(*x), *x, *dx)))
    return solve


# %% no_rule
# A `while_loop` without a rule has no reverse mode.
# Do: Give JAX a rule for the derivative, with `jax.custom_jvp` or `jax.custom_vjp`.
# At most half of the points.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
def solve_kepler(mean, e):
    def improve(state):
        angle, _ = state
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return angle - step, step

    start = jnp.asarray(mean)
    goes_on = lambda state: jnp.any(jnp.abs(state[1]) > 1e-5)  # noqa: E731
    return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start)))[0]


# %% through_the_steps
# Twelve steps are differentiated, and the numbers of each one are kept.
# Do: Write a rule that needs only the last E.
# Fails: test_no_step_is_kept
def solve_kepler(mean, e):
    return newton(mean, e, 12)


# %% no_gradient
# The loop's arguments have no gradient.
# Do: Write a rule: the solution has a gradient in both arguments.
# At most half of the points.
# Fails: test_in_a_batch, test_no_step_is_kept, test_the_derivatives_are_those_of_the_solution
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(lax.stop_gradient(mean), lax.stop_gradient(e))


# %% last_step_without_e
# One more step carries the gradient of `mean`, but e counts as a constant.
# Do: Add the part of e to the rule.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(mean, lax.stop_gradient(e))


# %% rule_at_the_mean
# The rule takes sine and cosine of `mean`.
# Do: Take sine and cosine of E in the rule.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm + jnp.sin(mean) * de) / (1 - e * jnp.cos(mean)),
)


# %% rule_without_sine
# The derivative in e is taken for that in `mean`.
# Do: Multiply the change of e by sin(E).
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm + de) / (1 - e * jnp.cos(angle)),
)


# %% wrong_sign_of_e
# The sign of the derivative in e is wrong.
# Do: Add the change of e times sin(E).
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm - jnp.sin(angle) * de) / (1 - e * jnp.cos(angle)),
)


# %% rule_of_one_step
# The rule is that of the equation E = mean + e * sin(E), as if E on the right didn't change.
# Do: Divide by 1 - e * cos(E).
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: dm + jnp.sin(angle) * de,
)


# %% gradient_that_arrives
# The gradient that arrives is ignored.
# Do: Multiply by the gradient that arrives.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
@jax.custom_vjp
def solve_kepler(mean, e):
    return newton(mean, e, 12)


def backwards(kept, g):
    angle, e = kept
    by_mean = jnp.ones_like(g) / (1 - e * jnp.cos(angle))
    return by_mean, by_mean * jnp.sin(angle)


solve_kepler.defvjp(lambda mean, e: (newton(mean, e, 12), (newton(mean, e, 12), e)), backwards)


# %% three_steps
# Three steps aren't enough for long orbits.
# Do: Go on until the largest step is small.
# Fails: test_the_equation_holds, test_the_derivatives_are_those_of_the_solution,
# test_no_step_is_kept, test_in_a_batch, test_details
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(mean, e) + lax.stop_gradient(newton(mean, e, 3) - solution(mean, e))


# %% no_sign_of_the_step
# The loop ends at the first step below 0.
# Do: Compare the size of the step, without its sign.
# Fails: test_the_equation_holds, test_in_a_batch, test_details
@jax.custom_jvp
def solve_kepler(mean, e):
    def improve(state):
        angle, _ = state
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return angle - step, step

    start = jnp.asarray(mean)
    goes_on = lambda state: jnp.any(state[1] > 1e-5)  # noqa: E731
    return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start)))[0]


@solve_kepler.defjvp
def rule(primals, tangents):
    angle = solve_kepler(*primals)
    slope = 1 - primals[1] * jnp.cos(angle)
    return angle, (tangents[0] + jnp.sin(angle) * tangents[1]) / slope


# %% scalars
# The loop's condition is an array.
# Do: Join the comparisons of all numbers with `jnp.any`.
# Fails: test_the_equation_holds, test_the_derivatives_are_those_of_the_solution,
# test_no_step_is_kept, test_in_a_batch, test_details
@jax.custom_jvp
def solve_kepler(mean, e):
    def improve(state):
        angle, _ = state
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return angle - step, step

    start = jnp.asarray(mean)
    goes_on = lambda state: jnp.abs(state[1]) > 1e-5  # noqa: E731
    return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start)))[0]


@solve_kepler.defjvp
def rule(primals, tangents):
    angle = solve_kepler(*primals)
    slope = 1 - primals[1] * jnp.cos(angle)
    return angle, (tangents[0] + jnp.sin(angle) * tangents[1]) / slope

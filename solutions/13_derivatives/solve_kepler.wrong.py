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
# Breaks: Returns 4
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
# Breaks: Returns 3
# Fails: test_no_step_is_kept
def solve_kepler(mean, e):
    return newton(mean, e, 12)


# %% no_gradient
# The loop's arguments have no gradient.
# Do: Write a rule: the solution has a gradient in both arguments.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_in_a_batch, test_no_step_is_kept, test_the_derivatives_are_those_of_the_solution
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(lax.stop_gradient(mean), lax.stop_gradient(e))


# %% last_step_without_e
# One more step carries the gradient of `mean`, but e counts as a constant.
# Do: Add the part of e to the rule.
# Breaks: Returns 2
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(mean, lax.stop_gradient(e))


# %% rule_of_e_not_divided
# Only the change of `mean` is divided by 1 - e * cos(E).
# Do: Divide the change of e times sin(E) by it, too.
# Breaks: Returns 2
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: dm / (1 - e * jnp.cos(angle)) + jnp.sin(angle) * de,
)


# %% rule_at_the_mean
# The rule takes sine and cosine of `mean`.
# Do: Take sine and cosine of E in the rule.
# Breaks: Returns 2
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm + jnp.sin(mean) * de) / (1 - e * jnp.cos(mean)),
)


# %% rule_without_sine
# The derivative in e is taken for that in `mean`.
# Do: Multiply the change of e by sin(E).
# Breaks: Returns 2
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm + de) / (1 - e * jnp.cos(angle)),
)


# %% wrong_sign_of_e
# The sign of the derivative in e is wrong.
# Do: Add the change of e times sin(E).
# Breaks: Returns 2
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm - jnp.sin(angle) * de) / (1 - e * jnp.cos(angle)),
)


# %% rule_of_one_step
# The rule is that of the equation E = mean + e * sin(E), as if E on the right didn't change.
# Do: Divide by 1 - e * cos(E).
# Breaks: Returns 2
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: dm + jnp.sin(angle) * de,
)


# %% gradient_that_arrives
# The gradient that arrives is ignored.
# Do: Multiply by the gradient that arrives.
# Breaks: Returns 2
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
# Breaks: Returns 1
# Fails: test_the_equation_holds, test_the_derivatives_are_those_of_the_solution,
# test_no_step_is_kept, test_in_a_batch, test_details
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(mean, e) + lax.stop_gradient(newton(mean, e, 3) - solution(mean, e))


# %% no_sign_of_the_step
# The loop ends at the first step below 0.
# Do: Compare the size of the step, without its sign.
# Breaks: Returns 1
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
# Breaks: Returns 1
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


# %% steps_repeated
# The backward pass makes all steps again, and goes back through each of them.
# Do: Give JAX the rule of the solution, which needs no step.
# Breaks: Returns 3
# Fails: test_no_step_is_kept
@jax.checkpoint
def solve_kepler(mean, e):
    def step(angle, _):
        moved = angle - (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return jnp.clip(moved, mean - 1, mean + 1), None

    return lax.scan(step, mean + 0 * e, length=40)[0]


# %% once missed


# %% largest_step
# The largest of some numbers is NaN if one of them is, and the loop ends for all.
# Do: Ask with `jnp.any` whether some step is still large.
# Breaks: Details 1
# Fails: test_details
@jax.custom_jvp
def solve_kepler(mean, e):
    def improve(state):
        angle, _ = state
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return angle - step, step

    start = jnp.asarray(mean)
    goes_on = lambda state: jnp.abs(state[1]).max(initial=0) > 1e-5  # noqa: E731
    return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start)))[0]


@solve_kepler.defjvp
def rule(primals, tangents):
    angle = solve_kepler(*primals)
    slope = 1 - primals[1] * jnp.cos(angle)
    return angle, (tangents[0] + jnp.sin(angle) * tangents[1]) / slope


# %% fixed_point
# Thirty steps of E = mean + e * sin(E), which come nearer by a tenth only if e is 0.9.
# Breaks: Returns 1
# Fails: test_the_equation_holds, test_the_derivatives_are_those_of_the_solution,
# test_no_step_is_kept, test_in_a_batch, test_details
def solve_kepler(mean, e, solution=solve_kepler):
    angle = lax.fori_loop(0, 30, lambda _, angle: mean + e * jnp.sin(angle), jnp.asarray(mean))
    return solution(mean, e) + lax.stop_gradient(angle - solution(mean, e))


# %% nan_becomes_zero
# NaN is replaced by 0 before the loop, so E is a number there.
# Breaks: Details 1
# Fails: test_no_step_is_kept, test_details
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(jnp.nan_to_num(mean), e)


# %% largest_of_none
# The largest step decides, and an empty array has none.
# Breaks: Details 2
# Fails: test_details
def _by_the_largest(mean, e):
    def improve(state):
        angle, _ = state
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return angle - step, step

    start = jnp.asarray(mean)
    goes_on = lambda state: jnp.nanmax(jnp.abs(state[1])) > 1e-5  # noqa: E731
    return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start)))[0]


solve_kepler = with_rule(_by_the_largest)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return jnp.any(jnp.abs(step) > 1e-05) & (n < 20) -> return jnp.any(jnp.abs(step) >= 1e-05) & (n < 20)": "No step has just this size.",
    "return jnp.any(jnp.abs(step) > 1e-05) & (n < 20) -> return jnp.any(jnp.abs(step) > 2e-05) & (n < 20)": "After such a step, all digits are right.",
    "return jnp.any(jnp.abs(step) > 1e-05) & (n < 20) -> return jnp.any(jnp.abs(step) > 1e-05) & (n <= 20)": "Six steps are enough in the range of the text.",
    "return jnp.any(jnp.abs(step) > 1e-05) & (n < 20) -> return jnp.any(jnp.abs(step) > 1e-05) & (n < 21)": "Six steps are enough in the range of the text.",
    "return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start), 0))[0] -> return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start), 1))[0]": "Six steps are enough in the range of the text.",
    "return (angle - step, step, n + 1) -> return (angle - step, step, n + 2)": "Six steps are enough in the range of the text.",
    "return (angle - step, step, n + 1) -> return (angle - step, step, n - 1)": "In the range of the text, small steps end the loop.",
}


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_without_nan of `e`": "The text allows NaN in `mean`, and not in e.",
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision of `mean`": "The text asks for float32.",
    "argument_no_half_precision of `e`": "The text asks for float32.",
    "argument_gradient_off_by_a_thousandth of `e`": "An E that is off by 1e-5 may change this gradient by a thousandth.",
    "argument_gradient_off_by_a_thousandth of `mean`": "Solvers that end a little earlier are right, too.",
}

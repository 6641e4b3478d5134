"""Wrong answers to solve_kepler; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import SymbolicZero


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
# Fails: test_no_step_is_kept
def solve_kepler(mean, e):
    return newton(mean, e, 12)


# %% written_out
# Twelve steps that aren't a loop, and each is kept.
# Fails: test_no_step_is_kept
def solve_kepler(mean, e):
    angle = jnp.asarray(mean)
    for _ in range(12):
        angle = angle - (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
    return angle


# %% no_gradient
# The loop's arguments have no gradient.
# At most half of the points.
# Fails: test_in_a_batch, test_no_step_is_kept, test_the_derivatives_are_those_of_the_solution
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(lax.stop_gradient(mean), lax.stop_gradient(e))


# %% last_step_without_e
# One more step carries the gradient of `mean`, but e counts as a constant.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(mean, lax.stop_gradient(e))


# %% rule_at_the_mean
# The rule takes sine and cosine of `mean`.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm + jnp.sin(mean) * de) / (1 - e * jnp.cos(mean)),
)


# %% rule_without_sine
# The derivative in e is taken for that in `mean`.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm + de) / (1 - e * jnp.cos(angle)),
)


# %% wrong_sign_of_e
# The sign of the derivative in e is wrong.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm - jnp.sin(angle) * de) / (1 - e * jnp.cos(angle)),
)


# %% rule_of_one_step
# The rule is that of the equation E = mean + e * sin(E), as if E on the right didn't change.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: dm + jnp.sin(angle) * de,
)


# %% gradient_that_arrives
# The gradient that arrives is ignored.
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
# Fails: test_any_shape, test_in_a_batch, test_no_step_is_kept,
# test_the_derivatives_are_those_of_the_solution, test_the_equation_holds
def solve_kepler(mean, e, solution=solve_kepler):
    return solution(mean, e) + lax.stop_gradient(newton(mean, e, 3) - solution(mean, e))


# %% no_sign_of_the_step
# The loop ends at the first step below 0.
# Fails: test_any_shape, test_in_a_batch, test_the_derivatives_are_those_of_the_solution,
# test_the_equation_holds
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


# %% largest_step
# The largest of some numbers is NaN if one of them is, and the loop ends for all.
# Fails: test_the_equation_holds, test_in_a_batch
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


# %% scalars
# The loop's condition is an array.
# Fails: test_any_shape, test_in_a_batch, test_no_step_is_kept,
# test_the_derivatives_are_those_of_the_solution, test_the_equation_holds
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


# %% fixed_point
# Thirty steps of E = mean + e * sin(E), which come nearer by a tenth only if e is 0.9.
# Fails: test_any_shape, test_in_a_batch, test_no_step_is_kept,
# test_the_derivatives_are_those_of_the_solution, test_the_equation_holds
def solve_kepler(mean, e, solution=solve_kepler):
    angle = lax.fori_loop(0, 30, lambda _, angle: mean + e * jnp.sin(angle), jnp.asarray(mean))
    return solution(mean, e) + lax.stop_gradient(angle - solution(mean, e))


# %% nearly_equal_sides
# The loop ends when both sides of the equation are nearly equal, but E may be ten times as far off.
# Fails: test_in_a_batch
@jax.custom_jvp
def solve_kepler(mean, e):
    def improve(angle):
        return angle - (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))

    goes_on = lambda angle: jnp.any(jnp.abs(angle - e * jnp.sin(angle) - mean) > 5e-6)  # noqa: E731
    return lax.while_loop(goes_on, improve, jnp.asarray(mean))


@solve_kepler.defjvp
def rule(primals, tangents):
    angle = solve_kepler(*primals)
    slope = 1 - primals[1] * jnp.cos(angle)
    return angle, (tangents[0] + jnp.sin(angle) * tangents[1]) / slope


# %% average_step
# The loop ends when the average step is small, so among many numbers a hard one isn't solved.
# Fails: test_any_shape
@jax.custom_jvp
def solve_kepler(mean, e):
    def improve(state):
        angle, _ = state
        step = (angle - e * jnp.sin(angle) - mean) / (1 - e * jnp.cos(angle))
        return angle - step, step

    start = jnp.asarray(mean)
    goes_on = lambda state: jnp.nanmean(jnp.abs(state[1])) > 1e-5  # noqa: E731
    return lax.while_loop(goes_on, improve, (start, jnp.ones_like(start)))[0]


@solve_kepler.defjvp
def rule(primals, tangents):
    angle = solve_kepler(*primals)
    slope = 1 - primals[1] * jnp.cos(angle)
    return angle, (tangents[0] + jnp.sin(angle) * tangents[1]) / slope


# %% sine_by_division
# The sine comes from the equation, (E - mean) / e, which has few digits where e is small.
# Fails: test_the_derivatives_are_those_of_the_solution
def sine_of(angle, mean, e):
    return jnp.where(e == 0, jnp.sin(mean), (angle - mean) / jnp.where(e == 0, 1, e))


solve_kepler = with_rule(
    lambda mean, e: newton(mean, e, 12),
    lambda angle, mean, e, dm, de: (dm + sine_of(angle, mean, e) * de) / (1 - e * jnp.cos(angle)),
)


# %% known_mean
# Where `mean` is known, no gradient of it is asked for, and that in e is forgotten, too.
# Fails: test_in_a_batch
solve_kepler = jax.custom_jvp(lambda mean, e: newton(mean, e, 12))


def rule(primals, tangents):
    (mean, e), (d_mean, d_e) = primals, tangents
    angle = solve_kepler(mean, e)
    slope = 1 / (1 - e * jnp.cos(angle))
    if isinstance(d_mean, SymbolicZero):
        return angle, jnp.zeros_like(angle)
    change = slope * d_mean
    if not isinstance(d_e, SymbolicZero):
        change += slope * jnp.sin(angle) * d_e
    return angle, change


solve_kepler.defjvp(rule, symbolic_zeros=True)


# %% slopes_in_float16
# The slopes are kept in float16, which has three digits.
# Fails: test_the_derivatives_are_those_of_the_solution, test_no_step_is_kept, test_in_a_batch
@jax.custom_vjp
def solve_kepler(mean, e):
    return newton(mean, e, 12)


def forwards(mean, e):
    angle = newton(mean, e, 12)
    by_mean = 1 / (1 - e * jnp.cos(angle))
    return angle, [part.astype(jnp.float16) for part in (by_mean, by_mean * jnp.sin(angle))]


solve_kepler.defvjp(forwards, lambda kept, g: tuple(part.astype(jnp.float32) * g for part in kept))


# %% one_interval_for_all
# The interval that is halved has fixed ends, and a NaN becomes one of them, unless e is 0.
# Fails: test_the_equation_holds
def halving(mean, e):
    def improve(_, ends):
        low, high = ends
        middle = (low + high) / 2
        above = middle - e * jnp.sin(middle) > mean
        return jnp.where(above, low, middle), jnp.where(above, middle, high)

    end = jnp.full_like(mean, 4.2)
    return jnp.where(e == 0, mean, lax.fori_loop(0, 40, improve, (-end, end))[0])


solve_kepler = with_rule(halving)


# %% start_at_pi
# On long orbits the loop starts at pi. For a single NaN it ends there, before the first step.
# Fails: test_the_equation_holds
def from_pi(mean, e):
    mean = jnp.asarray(mean)

    def difference(angle):
        return angle - e * jnp.sin(angle) - mean

    def improve(state):
        angle, n = state
        return angle - difference(angle) / (1 - e * jnp.cos(angle)), n + 1

    def goes_on(state):
        return jnp.any(jnp.abs(difference(state[0])) > 1e-7) & (state[1] < 30)

    start = jnp.where(e > 0.8, jnp.where(mean < 0, -jnp.pi, jnp.pi), mean)
    return lax.while_loop(goes_on, improve, (start, 0))[0]


solve_kepler = with_rule(from_pi)


# %% slopes_side_by_side
# Both slopes lie side by side, and `.T` takes them apart, but it turns all axes around.
# Fails: test_in_a_batch, test_the_derivatives_are_those_of_the_solution
@jax.custom_vjp
def solve_kepler(mean, e):
    return newton(mean, e, 12)


def forwards(mean, e):
    angle = newton(mean, e, 12)
    by_mean = 1 / (1 - e * jnp.cos(angle))
    return angle, jnp.stack([by_mean, by_mean * jnp.sin(angle)], axis=-1)


solve_kepler.defvjp(forwards, lambda slopes, g: tuple(g * slopes.T))


# %% one_system_for_all
# All numbers are one linear system for `cg`, and a NaN in it spoils the gradients of all.
# Fails: test_in_a_batch
@jax.custom_vjp
def solve_kepler(mean, e):
    return newton(mean, e, 12)


def backwards(kept, g):
    angle, e = kept
    slope = 1 - e * jnp.cos(angle)
    by_mean, _ = jax.scipy.sparse.linalg.cg(lambda d: slope * d, g, tol=1e-7)
    return by_mean, by_mean * jnp.sin(angle)


solve_kepler.defvjp(lambda mean, e: (newton(mean, e, 12), (newton(mean, e, 12), e)), backwards)


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
    "result_clamped": "E is below 5.",
    "argument_without_nan of `e`": "The text allows NaN in `mean`, and not in e.",
    "result_plus_epsilon": "E may be off by 1e-5.",
    "result_float32": "The text asks for float32.",
    "argument_no_half_precision of `mean`": "The text asks for float32.",
    "argument_no_half_precision of `e`": "The text asks for float32.",
    "argument_clamped of `mean`": "The text asks for angles up to 3.2.",
    "argument_clamped of `e`": "The text asks for e from -0.9 to 0.9.",
    "argument_gradient_off_by_a_thousandth of `e`": (
        "An E that is off by 1e-5 may change this gradient by a thousandth."
    ),
}

"""What the suite of solve_kepler once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% largest_step
# The largest of some numbers is NaN if one of them is, and the loop ends for all.
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
# Fails: test_the_equation_holds, test_the_derivatives_are_those_of_the_solution,
# test_no_step_is_kept, test_in_a_batch, test_details
def solve_kepler(mean, e, solution=solve_kepler):
    angle = lax.fori_loop(0, 30, lambda _, angle: mean + e * jnp.sin(angle), jnp.asarray(mean))
    return solution(mean, e) + lax.stop_gradient(angle - solution(mean, e))


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

"""What the suite of linear_recurrence once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% repaired
# NaN counts as 0.
# Fails: test_details
def linear_recurrence(a, b, solution=linear_recurrence):  # noqa: F821
    return solution(a, jnp.where(jnp.isnan(b), 0, b))


# %% tridiagonal
# The library solves a system with two diagonals, one row after the other.
# Fails: test_details
def linear_recurrence(a, b):
    if len(b) < 3:
        return b if len(b) == 1 else jnp.stack([b[0], a[1] * b[0] + b[1]])

    def solve(a, b):
        lower = -a.at[0].set(0)
        ones = jnp.ones_like(a)
        return lax.linalg.tridiagonal_solve(lower, ones, 0 * ones, b[:, None])[:, 0]

    return jax.vmap(solve, in_axes=1, out_axes=1)(a, b)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty": "The text asks for at least one step and one column.",
}


# %% loop_for_odd_lengths
# Only a series whose length is a power of two takes few rounds; others take a loop.
# Fails: test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    if len(b) & (len(b) - 1) == 0:
        return solution(a, b)

    def step(y, maps):
        y = maps[0] * y + maps[1]
        return y, y

    return lax.scan(step, jnp.zeros_like(b[0]), (a.at[0].set(0), b))[1]

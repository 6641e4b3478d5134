"""What learners get wrong in linear_recurrence; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% forgets_the_product
# The step itself is mistaken for the composition: the product of the slopes is forgotten.
# Do: Return both parts of the composed map: the product of the slopes, and the new number.
# Breaks: Returns 1
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_the_gradient_is_right_and_takes_few_rounds,
# test_a_long_series_takes_few_rounds, test_details
def linear_recurrence(a, b):
    def step(earlier, later):
        return later[0], later[0] * earlier[1] + later[1]

    return lax.associative_scan(step, (a, b))[1]


# %% later_first
# The later map is applied first: the order of the two arguments is confused.
# Do: Substitute the earlier map into the later one: the function gets the earlier one first.
# Breaks: Returns 1
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_the_gradient_is_right_and_takes_few_rounds,
# test_a_long_series_takes_few_rounds, test_details
def linear_recurrence(a, b):
    def compose(later, earlier):
        return later[0] * earlier[0], later[0] * earlier[1] + later[1]

    return lax.associative_scan(compose, (a, b))[1]


# %% late_slopes
# Each step uses the slope of the previous step.
# Do: Use a[t] in the step from y[t-1] to y[t].
# Breaks: Returns 1
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_the_gradient_is_right_and_takes_few_rounds,
# test_a_long_series_takes_few_rounds, test_details
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(jnp.roll(a, 1, axis=0), b)


# %% start_at_one
# The series starts at 1, so the first slope counts.
# Do: Start with y[0] = b[0]. The first slope has no effect.
# Breaks: Returns 1
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_the_gradient_is_right_and_takes_few_rounds,
# test_a_long_series_takes_few_rounds, test_details
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(a, b.at[0].add(a[0]))


# %% columns_share_slopes
# The slopes of the first column are used for all columns.
# Do: Compose the maps of all columns at the same time, each with its own slopes.
# Breaks: Returns 2
# Fails: test_each_column_is_a_series, test_it_works_under_jit_and_vmap,
# test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds, test_details
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(a[:, :1] + 0 * a, b)


# %% divided_by_products
# The numbers are divided by products of the slopes, which are 0 or become 0.
# Do: Don't divide by products of slopes. Compose the maps instead.
# Breaks: Returns 1
# Fails: test_slopes_may_be_zero, test_the_gradient_is_right_and_takes_few_rounds,
# test_a_long_series_takes_few_rounds, test_details
def linear_recurrence(a, b):
    products = jnp.cumprod(a.at[0].set(1), axis=0)
    return products * jnp.cumsum(b / products, axis=0)


# %% constant_slopes
# The slopes have no gradient.
# Do: Remove `stop_gradient`: the values also depend on the slopes.
# Breaks: Returns 3
# Fails: test_the_gradient_is_right_and_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(lax.stop_gradient(a), b)


# %% one_by_one
# A `lax.scan` takes one step at a time: the values are right, but there are T rounds.
# Do: Let `jax.lax.associative_scan` compose the maps in any grouping.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds
def linear_recurrence(a, b):
    def step(y, maps):
        y = maps[0] * y + maps[1]
        return y, y

    return lax.scan(step, jnp.zeros_like(b[0]), (a.at[0].set(0), b))[1]


# %% unrolled
# A Python loop: the program has no loop, but a copy of the step for each number.
# Do: Let `jax.lax.associative_scan` compose all maps in a few rounds on whole arrays.
# Breaks: Returns 5
# Fails: test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds
def linear_recurrence(a, b):
    y = [b[0]]
    for t in range(1, len(b)):
        y.append(a[t] * y[-1] + b[t])
    return jnp.stack(y)


# %% table
# A table of each number's weight in each value has T x T numbers.
# Do: Don't write down each number's weight in each value. Compose the maps.
# Breaks: Returns 4
# Fails: test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds,
# test_details
def linear_recurrence(a, b):
    rows = [jnp.zeros((len(a), *a.shape[1:])).at[0].set(1)]
    for t in range(1, len(a)):
        rows.append((a[t] * rows[-1]).at[t].set(1))
    return jnp.einsum("tsd,sd->td", jnp.stack(rows), b)


# %% linear_system
# A system of T equations for each column has T x T numbers.
# Do: Don't solve a system of T equations. Compose the maps.
# Breaks: Returns 4
# Fails: test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds,
# test_details
def linear_recurrence(a, b):
    def solve(a, b):
        system = jnp.eye(len(b)) - jnp.diag(a[1:], -1)
        return jnp.linalg.solve(system, b)

    return jax.vmap(solve, in_axes=1, out_axes=1)(a, b)


# %% once missed


# %% repaired
# NaN counts as 0.
# Breaks: Details 1
# Fails: test_details
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(a, jnp.where(jnp.isnan(b), 0, b))


# %% tridiagonal
# JAX solves a system with two diagonals, one row at a time.
# Breaks: Returns 5
# Fails: test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds,
# test_details
def linear_recurrence(a, b):
    if len(b) < 3:
        return b if len(b) == 1 else jnp.stack([b[0], a[1] * b[0] + b[1]])

    def solve(a, b):
        lower = -a.at[0].set(0)
        ones = jnp.ones_like(a)
        return lax.linalg.tridiagonal_solve(lower, ones, 0 * ones, b[:, None])[:, 0]

    return jax.vmap(solve, in_axes=1, out_axes=1)(a, b)


# %% loop_for_odd_lengths
# Only a series whose length is a power of two takes few rounds; others take a loop.
# Breaks: Returns 4
# Fails: test_the_gradient_is_right_and_takes_few_rounds, test_a_long_series_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    if len(b) & (len(b) - 1) == 0:
        return solution(a, b)

    def step(y, maps):
        y = maps[0] * y + maps[1]
        return y, y

    return lax.scan(step, jnp.zeros_like(b[0]), (a.at[0].set(0), b))[1]


# %% loop_for_the_gradient
# The values take few rounds, but a hand-written derivative goes back step by step.
# Breaks: Returns 4, Returns 5
# Fails: test_the_gradient_is_right_and_takes_few_rounds
_in_parallel = linear_recurrence


@jax.custom_vjp
def linear_recurrence(a, b):
    return _in_parallel(a, b)


def _forward(a, b):
    y = _in_parallel(a, b)
    return y, (a, y)


def _backward(kept, g):
    a, y = kept

    def step(later, now):
        slope, arriving = now
        return slope * (arriving + later), arriving + later

    _, in_b = lax.scan(step, jnp.zeros_like(g[0]), (a, g), reverse=True)
    return in_b * jnp.concatenate([jnp.zeros_like(y[:1]), y[:-1]]), in_b


linear_recurrence.defvjp(_forward, _backward)


# %% always_float32
# Everything is computed and returned in float32.
# Breaks: Returns 1
# Fails: test_details
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(a.astype(jnp.float32), b.astype(jnp.float32))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty": "The text asks for at least one step and one column.",
}

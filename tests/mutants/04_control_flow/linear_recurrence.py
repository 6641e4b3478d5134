"""Wrong answers to linear_recurrence; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% forgets_the_product
# The step itself is taken for the composition: the product of the slopes is forgotten.
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_gradients_agree_with_finite_differences,
# test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    def step(earlier, later):
        return later[0], later[0] * earlier[1] + later[1]

    return lax.associative_scan(step, (a, b))[1]


# %% columns_share_slopes
# The slopes of the first column are used for all columns.
# Fails: test_slopes_may_be_zero, test_each_column_is_a_series, test_it_works_under_jit_and_vmap,
# test_gradients_agree_with_finite_differences, test_a_long_series_takes_few_rounds,
# test_the_gradient_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(a[:, :1] + 0 * a, b)


# %% constant_slopes
# The slopes have no gradient.
# Fails: test_gradients_agree_with_finite_differences, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(lax.stop_gradient(a), b)


# %% divided_by_products
# The numbers are divided by products of the slopes, which are 0 or become 0.
# Fails: test_slopes_may_be_zero, test_each_column_is_a_series,
# test_gradients_agree_with_finite_differences, test_a_long_series_takes_few_rounds
def linear_recurrence(a, b):
    products = jnp.cumprod(a.at[0].set(1), axis=0)
    return products * jnp.cumsum(b / products, axis=0)


# %% late_slopes
# Each step uses the slope of the step before it.
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_gradients_agree_with_finite_differences,
# test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(jnp.roll(a, 1, axis=0), b)


# %% later_first
# The later map is applied first: the order of the two arguments is confused.
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_gradients_agree_with_finite_differences,
# test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    def compose(later, earlier):
        return later[0] * earlier[0], later[0] * earlier[1] + later[1]

    return lax.associative_scan(compose, (a, b))[1]


# %% linear_system
# A system of T equations for each column holds T x T numbers.
# Fails: test_each_column_is_a_series, test_a_long_series_takes_few_rounds,
# test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    def solve(a, b):
        system = jnp.eye(len(b)) - jnp.diag(a[1:], -1)
        return jnp.linalg.solve(system, b)

    return jax.vmap(solve, in_axes=1, out_axes=1)(a, b)


# %% one_by_one
# A `lax.scan` takes one step after the other: right values, but T rounds.
# At most half of the points.
# Fails: test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    def step(y, maps):
        y = maps[0] * y + maps[1]
        return y, y

    return lax.scan(step, jnp.zeros_like(b[0]), (a.at[0].set(0), b))[1]


# %% repaired
# NaN counts as 0.
# Fails: test_each_column_is_a_series
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(a, jnp.where(jnp.isnan(b), 0, b))


# %% start_at_one
# The series starts at 1, so the first slope counts.
# Fails: test_values_follow_the_recurrence, test_slopes_may_be_zero, test_each_column_is_a_series,
# test_it_works_under_jit_and_vmap, test_gradients_agree_with_finite_differences,
# test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    return solution(a, b.at[0].add(a[0]))


# %% table
# A table of how much each number counts for each value holds T x T numbers.
# Fails: test_each_column_is_a_series, test_a_long_series_takes_few_rounds,
# test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    rows = [jnp.zeros((len(a), *a.shape[1:])).at[0].set(1)]
    for t in range(1, len(a)):
        rows.append((a[t] * rows[-1]).at[t].set(1))
    return jnp.einsum("tsd,sd->td", jnp.stack(rows), b)


# %% tridiagonal
# The library solves a system with two diagonals, one row after the other.
# Fails: test_each_column_is_a_series, test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    if len(b) < 3:
        return b if len(b) == 1 else jnp.stack([b[0], a[1] * b[0] + b[1]])

    def solve(a, b):
        lower = -a.at[0].set(0)
        ones = jnp.ones_like(a)
        return lax.linalg.tridiagonal_solve(lower, ones, 0 * ones, b[:, None])[:, 0]

    return jax.vmap(solve, in_axes=1, out_axes=1)(a, b)


# %% unrolled
# A Python loop: no loop is in the program, but a copy of the step for each number.
# Fails: test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    y = [b[0]]
    for t in range(1, len(b)):
        y.append(a[t] * y[-1] + b[t])
    return jnp.stack(y)


# %% window
# A number has no effect after 256 steps.
# Fails: test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b):
    for span in (1, 2, 4, 8, 16, 32, 64, 128):
        if span < len(b):
            b = b + a * jnp.pad(b, ((span, 0), (0, 0)))[: len(b)]
            a = a * jnp.pad(a, ((span, 0), (0, 0)), constant_values=1)[: len(a)]
    return b


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_never_empty": "The text asks for at least one step and one column.",
    "result_infinity_to_nan": "A right grouping may multiply infinity by a product that is 0.",
    "argument_infinity_to_nan of `b`": "A right grouping may multiply infinity by a product that is 0.",
    "argument_clamped of `a`": "The text says that slopes are from -1 to 1.",
}


# %% zero_ends_nan
# A slope of 0 drops a NaN that came before it, but 0 times NaN is NaN.
# Fails: test_each_column_is_a_series
def linear_recurrence(a, b):
    def compose(earlier, later):
        kept = jnp.where((later[0] == 0) & jnp.isnan(earlier[1]), 0, earlier[1])
        return earlier[0] * later[0], later[0] * kept + later[1]

    return lax.associative_scan(compose, (a, b))[1]


# %% loop_for_odd_lengths
# Only a series whose length is a power of two takes few rounds; others take a loop.
# Fails: test_a_long_series_takes_few_rounds, test_the_gradient_takes_few_rounds
def linear_recurrence(a, b, solution=linear_recurrence):
    if len(b) & (len(b) - 1) == 0:
        return solution(a, b)

    def step(y, maps):
        y = maps[0] * y + maps[1]
        return y, y

    return lax.scan(step, jnp.zeros_like(b[0]), (a.at[0].set(0), b))[1]


# %% tiny_for_zero
# A slope of 0 is replaced by a tiny number, so large numbers before it still count.
# Fails: test_slopes_may_be_zero
def linear_recurrence(a, b, solution=linear_recurrence):
    if jnp.issubdtype(a.dtype, jnp.floating):
        a = a + 1e-7 * (a == 0)
    return solution(a, b)


# %% one_scale
# The largest number of all columns is the unit, so a tiny column beside a huge one becomes 0.
# Fails: test_slopes_may_be_zero, test_each_column_is_a_series
def linear_recurrence(a, b, solution=linear_recurrence):
    if not jnp.issubdtype(b.dtype, jnp.floating):
        return solution(a, b)
    top = lax.stop_gradient(jnp.nanmax(jnp.abs(b)))
    unit = jnp.where(top > 0, top, 1).astype(b.dtype)
    return unit * solution(a, b / unit)


# %% gradient_window
# In the gradient, a number has no effect after 512 steps.
# Fails: test_the_gradient_takes_few_rounds
values = linear_recurrence


@jax.custom_vjp
def linear_recurrence(a, b):
    return values(a, b)


def backward(kept, g):
    a, y = kept
    slopes = jnp.concatenate([a[1:], jnp.zeros_like(a[:1])])
    for span in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        if span < len(g):
            g = g + slopes * jnp.pad(g, ((0, span), (0, 0)))[span:]
            slopes = slopes * jnp.pad(slopes, ((0, span), (0, 0)))[span:]
    return g * jnp.concatenate([jnp.zeros_like(y[:1]), y[:-1]]), g


def forward(a, b):
    y = values(a, b)
    return y, (a, y)


linear_recurrence.defvjp(forward, backward)

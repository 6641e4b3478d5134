"""What learners get wrong in newton_sqrt; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% absolute_tolerance
# The difference is compared with `tol`, not with `tol * x`.
# Do: Compare with `tol * x`.
# Breaks: Returns 1
# Fails: test_the_root_is_as_close_as_asked_for, test_it_stops_as_soon_as_it_is_close_enough,
# test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    # Where `tol` is below the rounding of y^2, the loop would end for some numbers only.
    enough = jnp.maximum(tol, 1e-6 * x)
    return lax.while_loop(
        lambda y: jnp.abs(y**2 - x) > enough, lambda y: (y + x / y) / 2, (1 + x) / 2
    )


# %% one_sided
# Without the absolute value, a first guess below the root is treated as good enough.
# Do: Compare the absolute value: a guess may be below the root or above it.
# Breaks: Returns 1
# Fails: test_the_root_is_as_close_as_asked_for, test_it_stops_as_soon_as_it_is_close_enough,
# test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: y**2 - x > tol * x, lambda y: (y + x / y) / 2, x)


# %% integer_start
# The start has the dtype of `x`; an integer can't become a float in a loop.
# Do: Make `x` float32 first.
# Breaks: Details 1
# Fails: test_integers_have_roots_too, test_details
def newton_sqrt(x, tol):
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, x)


# %% half_precision
# Only integers become float32. The bfloat16 loop runs in bfloat16, and its root is rough.
# Do: Always make `x` float32.
# Breaks: Details 1
# Fails: test_details
def newton_sqrt(x, tol):
    x = 1.0 * jnp.asarray(x)
    y = lax.while_loop(
        lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, (1 + x) / 2
    )
    return y.astype(jnp.float32)


# %% fixed_rounds
# Always thirty rounds: close enough, but the loop never stops sooner.
# Do: Let the loop end as soon as the guess is close enough: `jax.lax.while_loop` has a condition.
# Breaks: Returns 1
# Fails: test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.fori_loop(0, 30, lambda _, y: (y + x / y) / 2, (1 + x) / 2)


# %% unrolled
# A Python loop runs thirty rounds, and unneeded ones are masked out.
# Do: Let `jax.lax.while_loop` run the rounds.
# Breaks: Returns 3
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    for _ in range(30):
        y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
    return y


# %% library_root
# A library function computes the root, without a loop.
# Do: Improve a guess in a loop until it is as close as `tol` requires.
# Breaks: Returns 1
# Fails: test_the_loop_is_in_the_program, test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    return jnp.sqrt(jnp.asarray(x, jnp.float32))


# %% one_step
# `lax.cond` is an `if`, not a loop: it makes at most one step.
# Do: Use `jax.lax.while_loop`, which continues while the condition is true.
# Breaks: Returns 1
# Fails: test_the_root_is_as_close_as_asked_for, test_integers_have_roots_too,
# test_the_loop_is_in_the_program, test_it_stops_as_soon_as_it_is_close_enough,
# test_a_batch_can_be_computed, test_details
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    return lax.cond(jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, lambda y: y, y)


# %% own_tolerance
# The tolerance is a constant, and the argument is ignored.
# Do: Use the argument `tol` in the condition.
# Breaks: Returns 1
# Fails: test_the_root_is_as_close_as_asked_for, test_integers_have_roots_too,
# test_the_loop_is_in_the_program, test_a_batch_can_be_computed, test_details
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    start, enough = (1 + x) / 2, 0.1
    return lax.while_loop(
        lambda y: jnp.abs(y**2 - x) > enough * x, lambda y: (y + x / y) / 2, start
    )


# %% python_while
# A Python `while` needs a value and can't be traced.
# Do: Use `jax.lax.while_loop`, which has the condition in the program.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_integers_have_roots_too, test_the_loop_is_in_the_program,
# test_it_stops_as_soon_as_it_is_close_enough, test_a_batch_can_be_computed, test_details
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    while jnp.abs(y**2 - x) > tol * x:
        y = (y + x / y) / 2
    return y


# %% static_arguments
# Both arguments are static under `jit`: one program per number, and a traced one fails.
# Do: Leave both arguments traced. `jax.lax.while_loop` needs no value while it is traced.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_integers_have_roots_too, test_the_loop_is_in_the_program,
# test_it_stops_as_soon_as_it_is_close_enough, test_a_batch_can_be_computed, test_details
@partial(jax.jit, static_argnames=("x", "tol"))
def newton_sqrt(x, tol):
    start = jnp.float32((1 + x) / 2)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% ten_rounds_at_most
# The loop stops after ten rounds, but large numbers need more.
# Do: Let only the tolerance end the loop.
# Breaks: Returns 1
# Fails: test_the_root_is_as_close_as_asked_for
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def is_rough(state):
        n, y = state
        return (n < 10) & (jnp.abs(y**2 - x) > tol * x)

    def improve(state):
        n, y = state
        return n + 1, (y + x / y) / 2

    return lax.while_loop(is_rough, improve, (0, (1 + x) / 2))[1]


# %% shifted_root
# The root of a number near x is as far away as `tol` allows, so the loop runs no round.
# Do: Start from a rough guess, and let Newton's steps find the root.
# Breaks: Returns 1
# Fails: test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x, tol = jnp.asarray(x, jnp.float32), jnp.asarray(tol, jnp.float32)
    guess = jnp.sqrt(x * (1 + tol / 2))
    return lax.while_loop(lambda y: jnp.abs(y * y - x) > tol * x, lambda y: y / 2 + 1, guess)


# %% once missed


# %% dead_loop
# Sixty rounds are unrolled, and a loop runs no round.
# Breaks: Returns 3
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    for _ in range(60):
        y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
    return lax.fori_loop(0, 0, lambda _, y: (y + x / y) / 2, y)


# %% decoy_loop
# Thirty unrolled rounds are one round of the loop.
# Breaks: Returns 3
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def rounds(_, y):
        for _ in range(30):
            y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
        return y

    return lax.fori_loop(0, 1, rounds, (1 + x) / 2)


# %% float_if_known
# An integer becomes a float only if it has a value, and a traced one has none.
# Breaks: Returns 2
# Fails: test_integers_have_roots_too
def newton_sqrt(x, tol):
    x = x if isinstance(x, jax.core.Tracer) else float(x)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, x)


# %% python_loop_if_known
# Known numbers go through a Python loop, which returns a Python float.
# Breaks: Returns 1
# Fails: test_the_root_is_as_close_as_asked_for, test_integers_have_roots_too, test_details
def newton_sqrt(x, tol, solution=newton_sqrt):
    if isinstance(x, jax.core.Tracer) or isinstance(tol, jax.core.Tracer):
        return solution(x, tol)
    x, tol = float(x), float(tol)
    y = (1 + x) / 2
    while abs(y**2 - x) > tol * x:
        y = (y + x / y) / 2
    return y


# %% small_integers
# One is added before the integer becomes a float, and the sum doesn't always fit.
# Breaks: Details 1
# Fails: test_details
def newton_sqrt(x, tol):
    start = jnp.asarray((1 + x) / 2, jnp.float32)
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% logarithmic_mean
# The loop starts near the root, at (x - 1) / log(x). For x = 1, that is NaN.
# Breaks: Details 2
# Fails: test_details
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    start = (x - 1) / jnp.log(x)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% one_round_more
# The loop ends when the guess before the last one was close enough.
# Breaks: Returns 1
# Fails: test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol, solution=newton_sqrt):
    y = solution(x, tol)
    return (y + jnp.float32(x) / y) / 2


# %% small_steps
# The loop ends when a step is small, not when the square is close.
# Breaks: Returns 1
# Fails: test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def improve(state):
        y, _ = state
        return (y + x / y) / 2, y

    start = (1 + x) / 2
    ended = lax.while_loop(lambda s: jnp.abs(s[0] - s[1]) > tol * s[0], improve, (start, 2 * start))
    return ended[0]


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, (1 + x) * 2)": "Newton's method finds the same root from any start above 0.",
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, 2 / (1 + x))": "Newton's method finds the same root from any start above 0.",
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, (2 + x) / 2)": "Newton's method finds the same root from any start above 0.",
    "return lax.while_loop(is_rough, improve, (1 + x) / 2) -> return lax.while_loop(is_rough, improve, (1 + x) / 3)": "Newton's method finds the same root from any start above 0.",
    "return jnp.abs(y ** 2 - x) > tol * x -> return jnp.abs(y ** 2 - x) >= tol * x": "An exact tie practically never happens.",
    "return jnp.abs(y ** 2 - x) > tol * x -> return y ** 2 - x > tol * x": "y is never below the root, so y^2 - x is never negative.",
    "return jnp.abs(y ** 2 - x) > tol * x -> return jnp.abs(x - y ** 2) > tol * x": "An absolute value has no sign.",
}

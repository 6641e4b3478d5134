"""Wrong answers to newton_sqrt; each cell is a suffix to the solution."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


def python_loop(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    while abs(y**2 - x) > tol * x:
        y = (y + x / y) / 2
    return y


# %% absolute_tolerance
# The difference is compared with `tol`, not with `tol * x`.
# Fails: test_the_tolerance_is_relative, test_it_stops_as_soon_as_it_is_close_enough,
# test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol, lambda y: (y + x / y) / 2, (1 + x) / 2)


# %% dead_loop
# Sixty unrolled rounds, and a loop that makes no round.
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    for _ in range(60):
        y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
    return lax.fori_loop(0, 0, lambda _, y: (y + x / y) / 2, y)


# %% decoy_loop
# Thirty unrolled rounds are one round of the loop.
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def rounds(_, y):
        for _ in range(30):
            y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
        return y

    return lax.fori_loop(0, 1, rounds, (1 + x) / 2)


# %% fixed_rounds
# Always thirty rounds: close enough, but it never stops sooner.
# Fails: test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.fori_loop(0, 30, lambda _, y: (y + x / y) / 2, (1 + x) / 2)


# %% float_if_known
# An integer becomes a float only if it has a value, and a traced one has none.
# Fails: test_integers_have_roots_too, test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = x if isinstance(x, jax.core.Tracer) else float(x)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, x)


# %% half_precision
# Only integers become float32. The loop for bfloat16 is in bfloat16, and its root is rough.
# Fails: test_integers_have_roots_too
def newton_sqrt(x, tol):
    x = 1.0 * jnp.asarray(x)
    y = lax.while_loop(
        lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, (1 + x) / 2
    )
    return y.astype(jnp.float32)


# %% integer_start
# The start has the dtype of `x`; an integer can't become a float in a loop.
# Fails: test_integers_have_roots_too, test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, x)


# %% library_root
# The library computes the root, without a loop.
# Fails: test_the_loop_is_in_the_program, test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    return jnp.sqrt(jnp.asarray(x, jnp.float32))


# %% one_sided
# Without the absolute value, a first guess below the root counts as good enough.
# Fails: test_the_tolerance_is_relative, test_it_stops_as_soon_as_it_is_close_enough,
# test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: y**2 - x > tol * x, lambda y: (y + x / y) / 2, x)


# %% one_step
# `lax.cond` is an `if`, not a loop: it makes one step at most.
# Fails: test_the_root_is_as_close_as_asked_for, test_the_tolerance_is_relative,
# test_integers_have_roots_too, test_the_loop_is_in_the_program,
# test_it_stops_as_soon_as_it_is_close_enough, test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    return lax.cond(jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, lambda y: y, y)


# %% own_tolerance
# The tolerance is a constant, and the argument is ignored.
# Fails: test_the_root_is_as_close_as_asked_for, test_the_tolerance_is_relative,
# test_integers_have_roots_too, test_the_loop_is_in_the_program,
# test_it_stops_as_soon_as_it_is_close_enough, test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    start, enough = (1 + x) / 2, 0.1
    return lax.while_loop(
        lambda y: jnp.abs(y**2 - x) > enough * x, lambda y: (y + x / y) / 2, start
    )


# %% python_while
# A Python `while`, which needs a value and can't be traced.
# At most half of the points.
# Fails: test_integers_have_roots_too, test_the_loop_is_in_the_program, test_it_stops_as_soon_as_it_is_close_enough,
# test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    while jnp.abs(y**2 - x) > tol * x:
        y = (y + x / y) / 2
    return y


# %% python_loop_if_known
# Known numbers go through a Python loop, which returns a Python float.
# Fails: test_the_root_is_as_close_as_asked_for, test_the_tolerance_is_relative,
# test_integers_have_roots_too
def newton_sqrt(x, tol, solution=newton_sqrt):
    if isinstance(x, jax.core.Tracer) or isinstance(tol, jax.core.Tracer):
        return solution(x, tol)
    x, tol = float(x), float(tol)
    y = (1 + x) / 2
    while abs(y**2 - x) > tol * x:
        y = (y + x / y) / 2
    return y


# %% small_integers
# One is added before the integer becomes a float, and doesn't always fit.
# Fails: test_integers_have_roots_too
def newton_sqrt(x, tol):
    start = jnp.asarray((1 + x) / 2, jnp.float32)
    x = jnp.asarray(x, jnp.float32)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% static_arguments
# Both arguments are static under `jit`: one program per number, and a traced one fails.
# At most half of the points.
# Fails: test_integers_have_roots_too, test_the_loop_is_in_the_program,
# test_it_stops_as_soon_as_it_is_close_enough, test_a_batch_can_be_computed
@partial(jax.jit, static_argnames=("x", "tol"))
def newton_sqrt(x, tol):
    start = jnp.float32((1 + x) / 2)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% ten_rounds_at_most
# The loop stops after ten rounds, and large numbers need more.
# Fails: test_the_tolerance_is_relative, test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def is_rough(state):
        n, y = state
        return (n < 10) & (jnp.abs(y**2 - x) > tol * x)

    def improve(state):
        n, y = state
        return n + 1, (y + x / y) / 2

    return lax.while_loop(is_rough, improve, (0, (1 + x) / 2))[1]


# %% unrolled
# Thirty rounds of a Python loop; those that aren't needed are masked out.
# Fails: test_the_loop_is_in_the_program
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    y = (1 + x) / 2
    for _ in range(30):
        y = jnp.where(jnp.abs(y**2 - x) > tol * x, (y + x / y) / 2, y)
    return y


# %% invented_error
# The library computes the root, an error of the allowed size is added, and the loop is a decoy.
# Fails: test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    nothing = lax.while_loop(lambda s: s < x, lambda s: s + x, 0 * x)
    return jnp.sqrt(x) * (1 + 0.4 * jnp.float32(tol)) + 0 * nothing


# %% known_middle
# Numbers between 150 and 80,000 are taken for 150.
# Fails: test_integers_have_roots_too, test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    x = jnp.where((x > 150) & (x < 8e4), 150, x)
    return lax.while_loop(
        lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, (1 + x) / 2
    )


# %% batched_numbers_only
# A hand-written rule for `vmap` takes it that the numbers are batched, so a batch of tolerances
# for one number fails.
# Fails: test_a_batch_can_be_computed
def solve(x, tol):
    def is_rough(y):
        return jnp.abs(y**2 - x) > tol * x

    return lax.while_loop(
        lambda y: is_rough(y).any(),
        lambda y: jnp.where(is_rough(y), (y + x / y) / 2, y),
        (1 + x) / 2,
    )


newton = jax.custom_batching.custom_vmap(solve)
newton.def_vmap(lambda size, is_batched, x, tol: (solve(x, tol), True))


def newton_sqrt(x, tol):
    return newton(jnp.asarray(x, jnp.float32), jnp.asarray(tol, jnp.float32))


# %% logarithmic_mean
# The loop starts near the root, at (x - 1) / log(x). For x = 1 that is NaN.
# Fails: test_integers_have_roots_too, test_a_batch_can_be_computed
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)
    start = (x - 1) / jnp.log(x)
    return lax.while_loop(lambda y: jnp.abs(y**2 - x) > tol * x, lambda y: (y + x / y) / 2, start)


# %% rounded_cache
# Roots of known numbers are kept. They are found again by six digits, which is coarse beside 1e-4.
# Fails: test_the_tolerance_is_relative
cache = {}


def newton_sqrt(x, tol, solution=newton_sqrt):
    if isinstance(x, jax.core.Tracer) or isinstance(tol, jax.core.Tracer):
        return solution(x, tol)
    place = round(float(x), 6), round(float(tol), 6)
    if place not in cache:
        cache[place] = solution(x, tol)
    return cache[place]


# %% cache_of_numbers
# Roots of known numbers are kept, whatever the tolerance was.
# Fails: test_the_root_is_as_close_as_asked_for
cache = {}


def newton_sqrt(x, tol, solution=newton_sqrt):
    if isinstance(x, jax.core.Tracer) or isinstance(tol, jax.core.Tracer):
        return solution(x, tol)
    if float(x) not in cache:
        cache[float(x)] = solution(x, tol)
    return cache[float(x)]


# %% loop_of_a_known_number
# A number with a value goes through a Python loop, though the tolerance may have none.
# Fails: test_a_batch_can_be_computed
def newton_sqrt(x, tol, solution=newton_sqrt):
    if isinstance(x, jax.core.Tracer):
        return solution(x, tol)
    return python_loop(x, tol)


# %% loop_for_a_known_tolerance
# With a known tolerance a Python loop is made, though the number may have no value.
# Fails: test_a_batch_can_be_computed
def newton_sqrt(x, tol, solution=newton_sqrt):
    if isinstance(tol, jax.core.Tracer):
        return solution(x, tol)
    return python_loop(x, tol)


# %% epsilon
# A small number is added to the divisor, and it shows beside the smallest x.
# Fails: test_it_stops_as_soon_as_it_is_close_enough
def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def is_rough(y):
        return jnp.abs(y**2 - x) / (x + jnp.finfo(jnp.float32).eps) > tol

    return lax.while_loop(is_rough, lambda y: (y + x / y) / 2, (1 + x) / 2)


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

"""choose(use_first, f, g, x): a choice that the program makes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

# The rounds of two functions that cost much.
ROUNDS = 100


def wave(x):
    return jnp.sin(x) + 2 * x


def root(x):
    return jnp.sqrt(x)


def square(x):
    return x * x


def large(x):
    return x > 1


def small(x):
    return x <= 1


def sines(x):
    return jax.lax.fori_loop(0, ROUNDS, lambda _, x: jnp.sin(x), x)


def cosines(x):
    return jax.lax.fori_loop(0, ROUNDS, lambda _, x: jnp.cos(x), x)


def draw(rng, *shape):
    return np.asarray(rng.uniform(0.5, 2, size=shape), np.float32)


def check(found, chosen, x):
    x = x.astype(np.float64)
    assert_close(found, np.asarray(np.sin(x) + 2 * x if chosen else x * x))


@pytest.mark.points(2)
@pytest.mark.hint("The first function belongs to a condition that is true.")
def test_the_right_function_is_called(submission, rng):
    """A true condition gives f(x), and a false one g(x), from Python or in an array."""
    for shape in ((), (4,)):
        x = draw(rng, *shape)
        for chosen in (True, False):
            check(submission.choose(chosen, wave, square, x), chosen, x)
            check(submission.choose(np.bool_(chosen), wave, square, x), chosen, x)


def by_its_sum(choose, x):
    return choose(x.sum() > 0, wave, square, x)


@pytest.mark.points(2)
@pytest.mark.hint("Under jit, the condition has no value that Python could test.")
def test_it_survives_jit(submission, rng):
    """Under `jit`, one program serves both cases, and may compute the condition."""
    x = draw(rng, 4)
    assert_close(submission.choose(np.bool_(True), large, small, x), x > 1)
    jitted = submission.choose.used_by(by_its_sum).jit()
    check(jitted(x), True, x)
    check(jitted(-x), False, -x)


@pytest.mark.points(2)
@pytest.mark.hint("`jnp.where` chooses between results. What chooses between functions?")
def test_the_program_has_two_branches(submission, rng):
    """The program has a branch for each function, so that one of them can be skipped."""
    x = draw(rng, 1000)
    program = submission.choose.program(np.bool_(True), sines, cosines, x)
    for chosen, f in ((True, np.sin), (False, np.cos)):
        expected = x.astype(np.float64)
        for _ in range(ROUNDS):
            expected = f(expected)
        assert_close(program(np.bool_(chosen), x), expected, rtol=1e-4)
    branches = {"stablehlo.case", "stablehlo.if"} & set(program.operations)
    assert branches, "There are no branches in the program."
    assert program.flops < 1.5 * ROUNDS * x.size, "Both functions run, whichever is chosen."


def weighted(choose, use_first, f, g, x, weights):
    return (choose(use_first, f, g, x) * weights).sum()


@pytest.mark.points(4)
@pytest.mark.hint("The root of a negative number has slope NaN. Does your program compute it?")
def test_the_other_function_does_not_run(submission, rng):
    """The gradient is right, even where the other function isn't defined."""
    x, weights = -draw(rng, 4), draw(rng, 4)
    slope = submission.choose.used_by(weighted).grad(argnums=3)
    right = 2 * x.astype(np.float64) * weights
    assert_close(slope(np.bool_(False), root, square, x, weights), right)
    assert_close(slope(np.bool_(True), square, root, x, weights), right)

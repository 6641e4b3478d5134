"""newton_sqrt(x, tol): a loop whose length depends on numbers that are known at run time only.

The final guess depends on the first one. So a result is right if it is as close as was asked for,
with some room for rounding at the edge of the tolerance.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def check(y, x, tol):
    """abs(y^2 - x) <= tol x means that the relative error of y is below about tol / 2.

    A Python float is no float32.
    """
    assert np.asarray(y).dtype == np.float32, "the result has another dtype"
    assert_close(y, np.asarray(np.sqrt(np.float64(x))), rtol=0.55 * tol)


def are_newtons(found, x, tols):
    """Whether each result is the next one's guess some rounds before; the tolerances fall.

    Of 40 x 30 numbers with 40 tolerances each, a solution and seven variants missed none.
    """
    for y, after, tol in zip(found[:-1], found[1:], tols[1:], strict=True):
        guesses = [y]
        # Within a twentieth of the tolerance, rounding may decide.
        while abs(guesses[-1] ** 2 - x) > 0.95 * tol * x:
            guesses.append((guesses[-1] + x / guesses[-1]) / 2)
        close = [guess for guess in guesses if abs(guess**2 - x) <= 1.05 * tol * x]
        if min(abs(after / guess - 1) for guess in close) > 1e-6:
            return False
    return True


def tables(newton_sqrt, ns, tols):
    """The roots of each number for each tolerance, then with one of the two known."""
    of_number = jax.vmap(newton_sqrt, in_axes=(None, 0))
    for_tol = jax.vmap(newton_sqrt, in_axes=(0, None))
    return jax.vmap(of_number, in_axes=(0, None))(ns, tols), of_number(7, tols), for_tol(ns, 1e-3)


def number(rng):
    return np.float32(rng.uniform(2, 9))


@pytest.mark.hint("Go on until the square of the guess is as close to x as tol says.")
def test_the_root_is_as_close_as_asked_for(submission, rng):
    """The square of the result differs from x by tol x at most, for each tolerance."""
    x = float(number(rng))
    for tol in (1e-2, 1e-3, 1e-4, 1e-5):
        check(submission.newton_sqrt(x, tol), x, tol)


@pytest.mark.hint("A difference of 1e-3 is nothing beside 1e6, and far too much beside 1e-4.")
def test_the_tolerance_is_relative(submission, rng):
    """Roots of small and of big numbers are as close as others, however many rounds that takes."""
    for tol in (1e-2, 1e-5):
        for exponent in (-4, -3, 5, 6):
            x = float(10.0**exponent * rng.uniform(0.9, 1.1))
            check(submission.newton_sqrt(x, tol), x, tol)
    # Numbers that are nearly equal don't have the same root.
    x = 1e-4 * rng.uniform(1, 1.1)
    for near in (x, 1.0001 * x, 1.0002 * x):
        check(submission.newton_sqrt(near, 1e-5), near, 1e-5)


@pytest.mark.hint(
    "Where in the loop does an integer become a float? Is the start of the loop a float?"
)
def test_integers_have_roots_too(submission, rng):
    """An integer gives a float32, whether it is a Python int or an array, and so does bfloat16."""
    jitted = submission.newton_sqrt.jit()
    # One, an odd number that bfloat16 doesn't have, and one that doesn't fit into 16 bits.
    for n, tol in (
        (1, 1e-4),
        (513 + 2 * int(rng.integers(200)), 1e-4),
        (int(rng.integers(70_001, 71_000)), 0.1),
    ):
        check(submission.newton_sqrt(n, tol), n, tol)
        check(jitted(np.int32(n), np.float32(tol)), n, tol)
    # One more doesn't fit into eight bits.
    check(submission.newton_sqrt(np.int8(127), 1e-4), 127, 1e-4)
    # A loop in bfloat16 ends, since it takes the square of a rough root for such a number.
    n = int(rng.choice([2, 5, 8, 11, 13, 50]))
    check(submission.newton_sqrt(np.asarray(n, jnp.bfloat16), 1e-4), n, 1e-4)


@pytest.mark.points(3)
@pytest.mark.hint(
    "While tracing, Python doesn't have the values yet. Which loop of jax.lax can test them?"
)
def test_the_loop_is_in_the_program(submission, rng):
    """One program with a loop in it serves every number and every tolerance."""
    program = submission.newton_sqrt.program(number(rng), np.float32(0.1))
    for tol in (1e-2, 1e-4, 1e-5):
        x = number(rng)
        check(program(x, np.float32(tol)), x, tol)
    # A loop counts if it runs and its result is needed.
    assert "stablehlo.while" in program.operations, "there is no loop in the program"
    # The rounds have to be the loop's own. Unrolled ones don't fit in here: a million needs 14 of
    # them, of about nine operations each.
    assert program.size <= 128, "the program holds more than a start and a loop"


@pytest.mark.points(3)
@pytest.mark.hint(
    "With a big tolerance a rough guess is close enough. How many rounds do you make then?"
)
def test_it_stops_as_soon_as_it_is_close_enough(submission, rng):
    """With a bigger tolerance the loop ends at an earlier guess of Newton's method."""
    xs = rng.uniform(0.05, 50, size=64).astype(np.float32)
    xs[0] = 0.05
    tol = np.float32(0.1)
    roots = submission.newton_sqrt.vmap(in_axes=(0, None))(xs, tol)
    errors = np.abs(np.square(roots, dtype=np.float64) - xs) / xs
    assert np.all(errors < 1.01 * tol), "a result is not close enough"
    # Newton's step from a guess outside the tolerance leads to an error above tol^2 / (4 + 4 tol).
    # Some of 64 first guesses are outside it, however well a student chooses them.
    assert errors.max() > 0.002, "a big tolerance gives results as exact as a small one"
    xs = (10 ** rng.uniform(-4, 6, size=30)).astype(np.float32)
    tols = -np.sort(-(10 ** rng.uniform(-5, -1, size=(30, 40))).astype(np.float32), axis=1)
    # Beside the smallest number, whatever is added to it shows.
    xs[0], tols[0, 0] = 1e-4, 0.1
    roots = submission.newton_sqrt.vmap()(np.repeat(xs, 40), np.ravel(tols))
    for found, x, row in zip(np.reshape(roots, (30, 40)), xs, tols, strict=True):
        found, x, row = (np.asarray(part, np.float64) for part in (found, x, row))
        assert np.all(np.abs(found**2 - x) <= 1.02 * row * x + 3e-7 * x)
        assert are_newtons(found, x, row), "a result is not the guess that comes next"
    # A guess whose error is a thousandth above the tolerance isn't close enough.
    xs = np.repeat(xs, 40)
    errors = np.abs(np.square(roots, dtype=np.float64) - xs) / xs
    tols = np.where(errors > 1e-3, 0.999 * errors, 1e-3).astype(np.float32)
    closer = submission.newton_sqrt.vmap()(xs, tols)
    errors = np.abs(np.square(closer, dtype=np.float64) - xs) / xs
    assert np.all(errors <= 1.0002 * tols), "a result is not as close as its tolerance says"


@pytest.mark.hint("Write it for one number, with jnp and lax alone; vmap does the rest.")
def test_a_batch_can_be_computed(submission, rng):
    """Under `vmap` each number has its own root, and may have its own tolerance."""
    # Among them are 1, which is its own root, squares, and the smallest number.
    xs = np.array([1e-2, 0.1, 1, 10, 100]) * rng.uniform(0.9, 1.1, size=5)
    xs = np.append(xs, [1, 4, 1 / 16, 1e-4]).astype(np.float32)
    tols = np.float32([1e-3, 1e-5, 1e-2, 1e-4, 1e-3, 1e-5, 1e-5, 1e-5, 1e-5])
    roots = submission.newton_sqrt.vmap().jit()(xs, tols)
    for root, x, tol in zip(roots, xs, tols, strict=True):
        check(root, x, tol)
    # The root of each integer for each tolerance, by a batch of tolerances in a batch of integers.
    # And one of the two may be known while the other one has no value yet.
    ns, tols = np.int32([rng.integers(2, 100), 1, 9]), tols[1:5]
    table, of_seven, rough = submission.newton_sqrt.used_by(tables).jit()(ns, tols)
    for roots, n in zip([*table, of_seven], [*ns, 7], strict=True):
        for root, tol in zip(roots, tols, strict=True):
            check(root, n, tol)
    for root, n in zip(rough, ns, strict=True):
        check(root, n, 1e-3)

"""newton_sqrt(x, tol): a loop whose length depends on numbers that are known at run time only.

The final guess depends on the first one. So a result is right if it is as close as was asked for,
with some room for rounding at the edge of the tolerance.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def check(y, x, tol):
    """abs(y^2 - x) <= tol x means that the relative error of y is below about tol / 2."""
    # A Python float is no float32.
    assert np.asarray(y).dtype == np.float32, "the result has another dtype"
    assert_close(y, np.asarray(np.sqrt(np.float64(x))), rtol=0.55 * tol)


@pytest.mark.hint("Continue until the square of the guess is as close to x as tol requires.")
def test_the_root_is_as_close_as_asked_for(submission, rng):
    """The square of the result differs from x by at most tol x, for each tolerance."""
    for tol in (1e-2, 1e-3, 1e-4, 1e-5):
        x = float(rng.uniform(2, 9))
        check(submission.newton_sqrt(x, tol), x, tol)
    with case("for a small x", hint="How many rounds do you run? The tolerance is relative."):
        x = float(rng.uniform(1e-4, 2e-4))
        check(submission.newton_sqrt(x, 1e-3), x, 1e-3)
    with case("for a big x", hint="Do you continue for as many rounds as necessary?"):
        x = float(rng.uniform(5e5, 1e6))
        check(submission.newton_sqrt(x, 1e-5), x, 1e-5)


@pytest.mark.hint(
    "Where in the loop does an integer become a float? Is the start of the loop a float?"
)
def test_integers_have_roots_too(submission, rng):
    """An integer gives a float32, whether it is a Python int or an array."""
    n = int(rng.integers(2, 100_000))
    check(submission.newton_sqrt(n, 1e-4), n, 1e-4)
    check(submission.newton_sqrt.jit()(np.int32(n), np.float32(1e-4)), n, 1e-4)


@pytest.mark.points(3)
@pytest.mark.hint(
    "While tracing, Python doesn't have the values yet. Which jax.lax loop can test them?"
)
def test_the_loop_is_in_the_program(submission, rng):
    """One program with a loop in it serves every number and every tolerance."""
    program = submission.newton_sqrt.program(np.float32(rng.uniform(2, 9)), np.float32(0.1))
    for tol in np.float32([1e-2, 1e-4, 1e-5]):
        x = np.float32(rng.uniform(2, 9))
        check(program(x, tol), x, tol)
    assert "stablehlo.while" in program.operations, "there is no loop in the program"
    # A million needs 14 rounds, of about nine operations each.
    assert program.size <= 128, "the program contains more than a start and a loop"


@pytest.mark.points(3)
@pytest.mark.hint(
    "With a big tolerance, a rough guess is close enough. How many rounds do you run then?"
)
def test_it_stops_as_soon_as_it_is_close_enough(submission, rng):
    """With a big tolerance, the result is close enough, and no closer than necessary."""
    xs = np.float32(np.geomspace(0.05, 50, 64) * rng.uniform(0.95, 1.05, size=64))
    tol = np.float32(0.1)
    roots = submission.newton_sqrt.vmap(in_axes=(0, None))(xs, tol)
    errors = np.abs(np.square(roots, dtype=np.float64) - xs) / xs
    assert np.all(errors < 1.01 * tol), "a result is not close enough"
    # Newton's step from a guess outside the tolerance leads to an error above tol^2 / (4 + 4 tol).
    # A first guess within the tolerance is hardly ever so close.
    assert np.median(errors) > 0.002, "a big tolerance gives results closer than necessary"
    tols = np.geomspace(1e-5, 0.1, 64, dtype=np.float32)
    guesses = submission.newton_sqrt.vmap(in_axes=(None, 0))(xs[40], tols)
    assert len(np.unique(guesses)) < 20, "the results for 64 tolerances aren't a few guesses"


@pytest.mark.hint("Write it for one number, using only jnp and lax; vmap does the rest.")
def test_a_batch_can_be_computed(submission, rng):
    """Under `vmap`, each number has its own root, and its own tolerance."""
    xs = np.float32([1e-2, 0.1, 1, 10, 100] * rng.uniform(0.9, 1.1, size=5))
    tols = np.float32([1e-3, 1e-5, 1e-2, 1e-4, 1e-3])
    roots = submission.newton_sqrt.vmap().jit()(xs, tols)
    for root, x, tol in zip(roots, xs, tols, strict=True):
        check(root, x, tol)


@pytest.mark.hint("Which numbers have another dtype than float32 on their way to the loop?")
def test_details(submission, rng):
    """Half precision, small integer types and the number 1 have good roots."""
    with case("in half precision", hint="In which dtype does the loop compare and divide?"):
        n = int(rng.choice([2, 5, 8, 11, 13, 50]))
        check(submission.newton_sqrt(np.asarray(n, jnp.bfloat16), 1e-4), n, 1e-4)
    with case("for an int8", hint="Does the integer become a float before you add something?"):
        check(submission.newton_sqrt(np.int8(127), 1e-4), 127, 1e-4)
    with case("for a batch containing 1", hint="What is your first guess for 1?"):
        xs = np.append(rng.uniform(2, 9, size=2), 1).astype(np.float32)
        for root, x in zip(
            submission.newton_sqrt.vmap(in_axes=(0, None))(xs, 1e-4), xs, strict=True
        ):
            check(root, x, 1e-4)

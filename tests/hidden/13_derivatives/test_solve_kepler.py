"""solve_kepler(mean, e): a solution with its derivatives, and what is kept for them."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

MOST_E = np.float32(0.9)


def draw(rng, *shape):
    """Angles and e on both sides of 0, and some that need many steps."""
    mean = rng.uniform(-3.2, 3.2, size=shape).astype(np.float32)
    e = (MOST_E * rng.uniform(-1, 1, size=shape)).astype(np.float32)
    few = mean.size // 5
    mean.flat[:few], e.flat[:few] = np.linspace(0.01, 0.3, few), MOST_E
    return mean, e


def exact(mean, e):
    """E by halving an interval, in float64."""
    mean, e = mean.astype(np.float64), e.astype(np.float64)
    low, high = mean - 1, mean + 1
    for _ in range(60):
        middle = (low + high) / 2
        above = middle - e * np.sin(middle) > mean
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2


def check(found, mean, e):
    assert_close(found, exact(mean, e), atol=3e-5)


def check_all(found, mean, e, g):
    """E and both gradients, where `g` arrives."""
    check(found[0], mean, e)
    by_mean = 1 / (1 - e.astype(np.float64) * np.cos(exact(mean, e)))
    by_e = np.sin(exact(mean, e)) * by_mean
    # An E that is off a little changes a slope of 10 by ten times as much.
    assert_close(found[1:], [g * by_mean, g * by_e], rtol=1e-3, atol=1e-3)


def pulled(solve, mean, e, g):
    """E, and the gradients in both arguments."""
    angle, backward = jax.vjp(solve, mean, e)
    return [angle, *backward(g)]


@pytest.mark.points(2)
@pytest.mark.hint("Does your loop end when the largest step is small, whatever the others are?")
def test_the_equation_holds(submission, rng):
    """E solves the equation, on circles, on the longest orbits, and near 0."""
    mean, e = draw(rng, 200)
    e[50:60], mean[60:63] = 0, (0, 3.2, -3.2)
    check(submission.solve_kepler(mean, e), mean, e)
    for n in (0, 3, 20, 100):  # alone, no other number keeps the loop going
        check(submission.solve_kepler(mean[n : n + 1], e[n : n + 1]), mean[n : n + 1], e[n : n + 1])


@pytest.mark.points(3)
@pytest.mark.hint("How much does E have to change so that the equation holds for a larger `mean`?")
def test_the_derivatives_are_those_of_the_solution(submission, rng):
    """The gradients in both arguments are those of the solution, for any that arrives."""
    mean, e = draw(rng, 75, 4)
    e[50], mean[51] = 0, 0
    g = rng.normal(size=(75, 4)).astype(np.float32)
    check_all(submission.solve_kepler.used_by(pulled)(mean, e, g), mean, e, g)


@pytest.mark.points(3)
@pytest.mark.hint("Does the backward pass go back through the steps? Which number of them counts?")
def test_no_step_is_kept(submission, rng):
    """The backward pass needs at most four arrays of 300 numbers, and repeats no step."""
    mean, e = draw(rng, 300)
    angle, kept = submission.solve_kepler.kept(mean, e)
    g = rng.normal(size=300).astype(np.float32)
    check_all([angle, *kept.gradients(g)], mean, e, g)
    # Some single numbers may be kept beside them.
    arrays = kept.bytes / mean.nbytes
    assert kept.bytes <= 4 * mean.nbytes + 64, f"As many bytes as in {arrays:.3g} arrays are kept."
    # A derivative takes some 20 arrays, and a step and its derivative more than 20.
    assert kept.backward.bytes < 100 * mean.nbytes


@pytest.mark.hint("Does a number of the batch decide how long the loop runs for another one?")
def test_in_a_batch(submission, rng):
    """Under `vmap` and `jit` each element has its own solution and its own gradients."""
    mean, e = draw(rng, 5, 3, 3)
    g = rng.normal(size=(5, 3, 3)).astype(np.float32)
    used = submission.solve_kepler.used_by(pulled)
    with case("for a batch of matrices", hint="Do your loop and your rule work for any shape?"):
        check_all(used.vmap().jit()(mean, e, g), mean, e, g)
    with case("for a batch of scalars", hint="What is the condition of the loop for a scalar?"):
        given = mean[0, 0], e[0, 0], g[0, 0]
        check_all(used.vmap().jit()(*given), *given)


def test_details(submission, rng):
    """It works for a scalar, an empty array, and where some or all are NaN."""
    mean, e = draw(rng, 50)
    with case("where one of many is NaN", hint="What is the largest step if one step is NaN?"):
        some, expected = mean.copy(), exact(mean, e)
        some[30] = expected[30] = np.nan
        found = submission.solve_kepler(some, e)
        assert_close(found, expected, atol=3e-5, nonfinite=True)
    with case("for a single NaN", hint="Does the loop end if every comparison is false?"):
        unknown = np.float32(np.nan)
        assert_close(submission.solve_kepler(unknown, e[20]), unknown, nonfinite=True)
    with case("for a scalar", hint="Which shape has E?"):
        check(submission.solve_kepler(mean[3], e[3]), mean[3], e[3])
    with case("for an empty array", hint="What is the largest step of no steps?"):
        check(submission.solve_kepler(mean[:0], e[:0]), mean[:0], e[:0])

"""solve_kepler(mean, e): a solution with its derivatives, and what is kept for them."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close

MOST_E = np.float32(0.9)


def draw(rng, *shape):
    """Angles and e on both sides of 0."""
    mean = rng.uniform(-3.2, 3.2, size=shape).astype(np.float32)
    return mean, (MOST_E * rng.uniform(-1, 1, size=shape)).astype(np.float32)


def exact(mean, e):
    """E by halving an interval, in float64."""
    mean, e = mean.astype(np.float64), e.astype(np.float64)
    low, high = mean - 1, mean + 1
    for _ in range(60):
        middle = (low + high) / 2
        above = middle - e * np.sin(middle) > mean
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2


def slopes(mean, e):
    """The derivatives of E in `mean` and in e."""
    angle = exact(mean, e)
    by_mean = 1 / (1 - e.astype(np.float64) * np.cos(angle))
    return by_mean, np.sin(angle) * by_mean


def pulled(solve, mean, e, g):
    """E, and the gradients in both arguments."""
    angle, backward = jax.vjp(solve, mean, e)
    return angle, *backward(g)


def one_of_two(solve, mean, e, g):
    """E of a batch of scalars, and the gradients in one argument, where the other is known."""
    many = jax.vmap(solve, in_axes=(0, None))
    angle, in_mean = jax.vjp(lambda mean: many(mean, e), mean)
    _, in_e = jax.vjp(lambda e: many(mean, e), e)
    return angle, *in_mean(g), *in_e(g)


def check(found, mean, e):
    assert_close(found, exact(mean, e), atol=1e-5)


def check_all(found, mean, e, g):
    """E and both gradients, where `g` arrives."""
    check(found[0], mean, e)
    by_mean, by_e = slopes(mean, e)
    atol = 1e-5 * max(abs(g).max(initial=0), 1e-30)
    # An E that is off by 1e-5 changes the first slope by 2e-5 of it at most. Where E is near 0, it
    # changes more of the second one.
    assert_close(found[1], g * by_mean, rtol=1e-4, atol=atol)
    assert_close(found[2], g * by_e, rtol=1e-3, atol=atol)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Does your loop end when the largest step is small, whatever the others are? And when for NaN?"
)
def test_the_equation_holds(submission, rng):
    """E solves the equation, on circles, on the longest orbits, and near 0."""
    mean, e = draw(rng, 1100)
    e[:100], e[100:200] = MOST_E, 0
    mean[:4], mean[4:40] = (0, 3.2, -3.2, 1e-6), np.linspace(0.01, 0.3, 36)
    program = submission.solve_kepler.program(mean, e)
    check(program(mean, e), mean, e)
    some, expected = mean.copy(), exact(mean, e)
    some[[150, 900]] = expected[[150, 900]] = np.nan
    assert_close(program(some, e), expected, atol=1e-5, nonfinite=True)
    for n in (0, 1, 20, 300):  # alone, no other number keeps the loop going
        check(submission.solve_kepler(mean[n], e[n]), mean[n], e[n])
    unknown = np.float32(np.nan)
    for one in (MOST_E, -MOST_E, e[300]):
        assert_close(submission.solve_kepler(unknown, one), unknown, nonfinite=True)


@pytest.mark.hint(
    "What is the largest step of an array without elements? May one number wait for many others?"
)
def test_any_shape(submission, rng):
    """Several axes with two hard numbers among many easy ones, one element, and none."""
    for shape in ((2, 1, 10_000), (1,), (0,)):
        mean, e = draw(rng, *shape)
        mean, e = np.minimum(abs(mean), 3), abs(e) / 3
        mean.flat[:2], e.flat[:2] = (0.15, 0.01)[: mean.size], MOST_E
        check(submission.solve_kepler.program(mean, e)(mean, e), mean, e)


@pytest.mark.points(4)
@pytest.mark.hint("How much does E have to change so that the equation holds for a larger `mean`?")
def test_the_derivatives_are_those_of_the_solution(submission, rng):
    """The gradients in both arguments, for any gradient that arrives, near 0 as well."""
    mean, e = draw(rng, 300)
    # The last of these orbits are nearly circles.
    e[:20], e[20:30], e[30:40] = MOST_E, 0, np.geomspace(1e-8, 1e-3, 10)
    e[30:40:2] *= -1
    mean[:9] = 0, 3.2, -3.2, 1e-6, -0.01, 0.02, -0.1, 0.2, 0.15
    angle, longest, ones = mean[8], e[8], np.float32(1)
    mean, e = mean.reshape(75, 4), e.reshape(75, 4)
    program = submission.solve_kepler.used_by(pulled).program(mean, e, mean)
    for scale in (1e-6, 1, 1e6):
        g = (scale * rng.normal(size=(75, 4))).astype(np.float32)
        g[0, 0] = 0
        check_all(program(mean, e, g), mean, e, g)
    found = submission.solve_kepler.used_by(pulled)(angle, longest, ones)
    check_all(found, angle, longest, ones)


@pytest.mark.points(2)
@pytest.mark.hint("Does the backward pass go back through the steps? Which number of them counts?")
def test_no_step_is_kept(submission, rng):
    """For 300 numbers, at most four arrays of them are kept for the backward pass."""
    mean, e = draw(rng, 300)
    angle, kept = submission.solve_kepler.kept(mean, e)
    g = rng.normal(size=300).astype(np.float32)
    check_all((angle, *kept.gradients(g)), mean, e, g)
    # Some single numbers may be kept beside them.
    assert kept.bytes <= 4 * mean.nbytes + 64


@pytest.mark.hint("Does a number of the batch decide how long the loop runs for another one?")
def test_in_a_batch(submission, rng):
    """Under `vmap` each element has its own solution and its own gradients."""
    # Square matrices: a gradient that comes back transposed has the right shape.
    mean, e = draw(rng, 5, 3, 3)
    mean[:, 0, 0], e[:, 0, 0] = np.linspace(0, 0.3, 5), MOST_E
    mean[4], e[4] = (0.1, 0.15, 0.2), MOST_E
    g = rng.normal(size=(5, 3, 3)).astype(np.float32)
    program = submission.solve_kepler.used_by(pulled).vmap().jit().program(mean, e, g)
    check_all(program(mean, e, g), mean, e, g)
    # One NaN is nothing to the gradients of the other numbers.
    some = mean.copy()
    some[3, 2, 1] = np.nan
    found, others = program(some, e, g), ~np.isnan(some)
    check_all([part[others] for part in found], mean[others], e[others], g[others])
    # In a batch of scalars, each ends its loop by itself. Near 0 and pi, E = mean is nearly right.
    shared = submission.solve_kepler.used_by(one_of_two).jit()
    small = np.geomspace(1e-7, 1, 200)
    mean = np.concatenate([small, -small, np.pi - small, small - np.pi]).astype(np.float32)
    g = rng.normal(size=800).astype(np.float32)
    for e in (MOST_E, -MOST_E):
        angle, in_mean, in_e = shared(mean, e, g)
        every_e = np.broadcast_to(e, 800)
        check(angle, mean, every_e)
        by_mean, by_e = slopes(mean, every_e)
        assert_close(in_mean, g * by_mean, rtol=1e-4, atol=1e-5 * abs(g).max())
        # Where the slope is 10, an E that is off by 1e-5 changes the other slope by 1e-4.
        assert_close(in_e, np.sum(g * by_e), rtol=1e-4, atol=1e-4 * abs(g).sum())

"""spring_energy(points, ends, rest): the energy of springs, with a gradient where points meet.

The stub is a program whose values are right, and whose gradient is NaN where a length is 0.
"""

import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n=6, s=8, d=2):
    points = rng.normal(size=(n, d)).astype(np.float32)
    first = rng.integers(0, n, size=s)
    ends = np.stack([first, (first + rng.integers(1, n, size=s)) % n], axis=1)
    return points, ends.astype(np.int32), np.float32(rng.uniform(0.2, 1.5))


def meet(points, ends, spring):
    """The points of a spring at one place."""
    moved = points.copy()
    moved[ends[spring, 1]] = moved[ends[spring, 0]]
    return moved


def energy(points, ends, rest):
    steps = np.float64(points)[ends[:, 1]] - np.float64(points)[ends[:, 0]]
    return np.sum((np.linalg.norm(steps, axis=-1) - rest) ** 2) / 2


def gradient(points, ends, rest):
    found = np.zeros(points.shape)
    for first, last in ends:
        step = np.float64(points[last]) - points[first]
        length = np.linalg.norm(step)
        pull = (length - rest) * step / length if length else 0 * step
        found[last] += pull
        found[first] -= pull
    return found


@pytest.mark.hint("Compare each length with one that you compute on paper.")
def test_the_energy_is_right(submission, rng):
    """The energy is the sum of half the squared extensions, even for springs of length 0."""
    for shape in ({}, {"n": 4, "s": 5, "d": 3}):
        points, ends, rest = draw(rng, **shape)
        assert_close(submission.spring_energy(points, ends, rest), energy(points, ends, rest))
        points = meet(points, ends, 0)
        assert_close(submission.spring_energy(points, ends, rest), energy(points, ends, rest))


@pytest.mark.hint("Is the gradient still right where no points meet?")
def test_the_gradient_is_right_where_nobody_meets(submission, rng):
    """Each spring pulls along its direction, as far as it is extended."""
    points, ends, rest = draw(rng)
    found, of_rest = submission.spring_energy.grad(argnums=(0, 2))(points, ends, rest)
    with case("in the points"):
        assert_close(found, gradient(points, ends, rest), atol=1e-5)
    with case("in the rest length", hint="How does the energy change with `rest`?"):
        lengths = np.linalg.norm(points[ends[:, 1]] - points[ends[:, 0]], axis=-1)
        assert_close(of_rest, np.sum(rest - lengths), atol=1e-4)


@pytest.mark.points(4)
@pytest.mark.hint("What is the derivative of a square root at 0, times 0?")
def test_a_spring_without_length_pulls_nobody(submission, rng):
    """Where two joined points meet, the gradient is that of all other springs."""
    for spring in (0, 3):
        points, ends, rest = draw(rng)
        points = meet(points, ends, spring)
        found = submission.spring_energy.grad()(points, ends, rest)
        assert_close(found, gradient(points, ends, rest), atol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint("Does the choice apply to each spring separately, and in each state of a batch?")
def test_it_holds_in_a_batch(submission, rng):
    """In a batch of states, only the states where points meet have such a spring."""
    points, ends, rest = draw(rng)
    batch = np.stack([points, meet(points, ends, 1), meet(points, ends, 2)])
    found = submission.spring_energy.grad().vmap(in_axes=(0, None, None)).jit()(batch, ends, rest)
    assert_close(found, np.stack([gradient(p, ends, rest) for p in batch]), atol=1e-5)


@pytest.mark.hint("Is a short length unchanged, or did you add something to it?")
def test_short_springs_keep_their_length(submission, rng):
    """Springs that are a hundred thousand times shorter are as exact as others."""
    _, ends, _ = draw(rng)
    points = (rng.normal(size=(6, 2)) * 1e-5).astype(np.float32)
    rest = np.float32(0)
    value, found = submission.spring_energy.value_and_grad()(points, ends, rest)
    with case("the energy"):
        assert_close(value, energy(points, ends, rest), rtol=1e-4, atol=1e-17)
    with case("the gradient"):
        assert_close(found, gradient(points, ends, rest), rtol=1e-4, atol=1e-10)

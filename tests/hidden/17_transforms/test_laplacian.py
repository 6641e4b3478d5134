"""laplacian(f, x): the diagonal of the second derivatives, and none of the mixed ones.

The stub is a program that adds up all second derivatives.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def waves(weights, phases, x):
    """A sum of sines of mixed coordinates. Its Laplacian is known."""
    return jnp.sum(jnp.sin(weights @ x + phases))


def of_waves(laplacian, weights, phases, x):
    return laplacian(lambda x: waves(weights, phases, x), x)


def exact(weights, phases, x):
    weights = np.float64(weights)
    return np.asarray(-np.sin(weights @ x + phases) @ np.sum(weights**2, axis=1))


def draw(rng, n, rows=3):
    """Waves whose first two coordinates have the same sign, at a point where no sine is near 0."""
    weights = rng.uniform(0.4, 1, size=(rows, n)) * rng.choice([-1, 1], size=(rows, n))
    weights[:, 1] = weights[:, 0] * rng.uniform(0.5, 1, size=rows)
    x = rng.normal(size=n)
    phases = rng.uniform(0.6, 2.4, size=rows) - weights @ x
    return [part.astype(np.float32) for part in (weights, phases, x)]


@pytest.mark.hint("Take the second derivative of each term by hand.")
def test_functions_without_mixed_terms(submission, rng):
    """For a sum of functions of one coordinate each, their second derivatives are added."""
    x = rng.uniform(-1.5, -0.5, size=4).astype(np.float32)
    found = submission.laplacian(lambda x: jnp.sum(x**4) - 2 * x[1] ** 3, x)
    assert_close(found, np.asarray(np.sum(12 * np.float64(x) ** 2) - 12 * x[1]), rtol=1e-4)


@pytest.mark.hint("What is the second derivative of a straight line?")
def test_one_coordinate_and_straight_lines(submission, rng):
    """With one coordinate it is the second derivative, and a linear function has none."""
    x = rng.uniform(-1, 1, size=1).astype(np.float32)
    found = submission.laplacian(lambda x: jnp.exp(2 * x[0]), x)
    assert_close(found, np.asarray(4 * np.exp(2 * np.float64(x[0]))), rtol=1e-4)
    x = rng.normal(size=5).astype(np.float32)
    assert_close(submission.laplacian(lambda x: 3 * x[1] - x[4], x), np.float32(0))


@pytest.mark.points(4)
@pytest.mark.hint("Which entries of the matrix of second derivatives are added up?")
def test_mixed_derivatives_do_not_count(submission, rng):
    """For functions of mixed coordinates, only the diagonal counts."""
    for n in (2, 3, 6):
        given = draw(rng, n)
        found = submission.laplacian.used_by(of_waves)(*given)
        assert_close(found, exact(*given), rtol=1e-3)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Add up the three second derivatives of 1 / |x| by hand, along one axis and off it."
)
def test_the_potential_of_a_charge(submission, rng):
    """The potential 1 / |x| has a Laplacian of 0 everywhere, and its square hasn't."""
    signs = np.array([[1, 1, 1], [1, -1, 1], [-1, -1, 1]])
    for sign in signs:
        x = (sign * rng.uniform(0.8, 1.5, size=3)).astype(np.float32)
        with case("for the potential"):
            found = submission.laplacian(lambda x: 1 / jnp.linalg.norm(x), x)
            assert_close(found, np.float32(0), atol=1e-4)
        with case("for its square"):
            found = submission.laplacian(lambda x: 1 / jnp.sum(x**2), x)
            assert_close(found, np.asarray(2 / np.sum(np.float64(x) ** 2) ** 2), rtol=1e-3)


@pytest.mark.hint("Is the number of coordinates a number of operations in your program?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 400 coordinates has fewer operations than coordinates."""
    given = draw(rng, 400)
    program = submission.laplacian.used_by(of_waves).program(*given)
    assert program.size < 400, "The program grows with the coordinates."
    assert_close(program(*given), exact(*given), rtol=1e-3)


@pytest.mark.hint("Is each number of the result that of one point?")
def test_it_can_be_transformed(submission, rng):
    """Under `vmap` and `jit` each point has its own, and it has a gradient."""
    weights, phases, x = draw(rng, 3)
    points = np.stack([x, x + np.float32(0.2), x - np.float32(0.1)])
    used = submission.laplacian.used_by(of_waves)
    with case("for a batch of points"):
        found = used.vmap(in_axes=(None, None, 0)).jit()(weights, phases, points)
        expected = [exact(weights, phases, point) for point in points]
        assert_close(found, np.array(expected), atol=1e-3)
    with case("for the gradient"):
        wide = np.float64(weights)
        slopes = -(np.cos(wide @ x + phases) * np.sum(wide**2, axis=1)) @ wide
        assert_close(used.grad(argnums=2).jit()(weights, phases, x), slopes, atol=1e-3)

"""gaussian_logpdf(x, mean, cov): against the formula, in float64."""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw_root(rng, n, size=1.0):
    """A matrix B, such that B Bᵀ has entries of the size of size² and is far from singular."""
    return (size * (np.eye(n) + rng.uniform(-0.5, 0.5, (n, n)) / np.sqrt(n))).astype(np.float32)


def draw(rng, m, n, size=1.0):
    """Points, a mean and a covariance; the points are near the mean."""
    root = np.float64(draw_root(rng, n, size))
    mean = size * rng.normal(size=n)
    x = mean + rng.normal(size=(m, n)) @ root.T
    return [part.astype(np.float32) for part in (x, mean, root @ root.T)]


def density(x, mean, cov):
    """The formula for [..., n] points."""
    x, mean, cov = np.float64(x), np.float64(mean), np.float64(cov)
    r = x - mean
    square = np.sum(r * np.linalg.solve(cov, r.T).T, axis=-1)
    return -(square + np.linalg.slogdet(cov)[1] + cov.shape[0] * np.log(2 * np.pi)) / 2


def check(found, *given):
    assert_close(found, np.asarray(density(*given)), rtol=1e-4, atol=1e-3)


def loss(f, x, mean, root, weights):
    """A covariance that is made of parameters, as in a fit."""
    return jnp.sum(weights * f(x, mean, root @ root.T))


def slopes(x, mean, root, weights):
    """The gradients of `loss` in the mean and in the root."""
    x, mean, root, weights = (np.float64(part) for part in (x, mean, root, weights))
    inverse = np.linalg.inv(root @ root.T)
    solved = (x - mean) @ inverse
    by_cov = (np.einsum("k,ki,kj->ij", weights, solved, solved) - weights.sum() * inverse) / 2
    return weights @ solved, 2 * by_cov @ root


@pytest.mark.hint("Which triangle is the factor, and how much of log(det(cov)) does it give?")
def test_one_point_has_the_density_of_the_formula(submission, rng):
    """For one point the result is the formula, a scalar."""
    for n in (1, 2, 5):
        x, mean, cov = draw(rng, 1, n)
        check(submission.gaussian_logpdf(x[0], mean, cov), x[0], mean, cov)


@pytest.mark.points(2)
@pytest.mark.hint("Is a point a row or a column of the system? Which axis do you add up?")
def test_each_row_has_a_density_of_its_own(submission, rng):
    """For many points, more or fewer than dimensions, each row has its density."""
    for m, n in ((4, 2), (2, 5), (3, 3), (1, 3)):
        with case(f"for {m} points in {n} dimensions" if m > 1 else "for one row"):
            given = draw(rng, m, n)
            check(submission.gaussian_logpdf(*given), *given)


@pytest.mark.points(3)
@pytest.mark.hint("How large is a product of 150 small numbers, and how large a sum of logarithms?")
def test_many_dimensions(submission, rng):
    """In 150 dimensions it is right, whether the determinant is too small or too large."""
    for size, name in ((0.01, "tiny"), (100.0, "huge")):
        with case(f"where the determinant is {name}"):
            given = draw(rng, 3, 150, size)
            check(submission.gaussian_logpdf(*given), *given)


@pytest.mark.points(2)
@pytest.mark.hint("Does the gradient pass through a number that is 0 or infinite in float32?")
def test_the_gradients_are_those_of_the_formula(submission, rng):
    """The gradients in the mean and in a covariance made of parameters are those of the formula."""
    for m, n, size in ((4, 3, 1.0), (2, 60, 0.01)):
        with case(f"in {n} dimensions"):
            root = draw_root(rng, n, size)
            mean = (size * rng.normal(size=n)).astype(np.float32)
            x = (mean + size * rng.normal(size=(m, n))).astype(np.float32)
            weights = rng.uniform(1, 2, m).astype(np.float32)
            gradients = submission.gaussian_logpdf.used_by(loss).grad(argnums=(1, 2))
            found, expected = gradients(x, mean, root, weights), slopes(x, mean, root, weights)
            for one, other in zip(found, expected, strict=True):
                assert_close(one, other, rtol=1e-3, atol=1e-3 * np.abs(other).max())


@pytest.mark.hint("Which factor gives both the solution and the determinant?")
def test_it_is_factored_once(submission, rng):
    """The program for 20 points has at most three calls to a library."""
    program = submission.gaussian_logpdf.program(*draw(rng, 20, 6))
    given = draw(rng, 20, 6)
    check(program(*given), *given)
    calls = program.operations.get("stablehlo.custom_call", 0)
    assert calls <= 3, f"the program has {calls} calls of a library for linear algebra"


def test_details(submission, rng):
    """It works under `jit` and `vmap`, and where cov has negative eigenvalues."""
    x, mean, cov = draw(rng, 3, 2)
    with case("under `jit` and `vmap`", hint="Each point has its own mean and covariance."):
        each = [draw(rng, 1, 3) for _ in range(4)]
        xs, means, covs = map(np.stack, zip(*each, strict=True))
        expected = np.stack([density(*given)[0] for given in each])
        found = submission.gaussian_logpdf.vmap().jit()(xs[:, 0], means, covs)
        assert_close(found, expected, rtol=1e-4, atol=1e-3)
    hint = "Which factorisation exists for such a matrix? Cholesky's doesn't."
    unknown = np.full(3, np.nan, np.float32)
    with case("where cov has a negative eigenvalue", hint=hint):
        wrong = np.float32([[1, 3], [3, 1]]) * np.float32(rng.uniform(1, 2))
        assert_close(submission.gaussian_logpdf(x, mean, wrong), unknown, nonfinite=True)
    with case("where cov has two negative eigenvalues", hint=hint):
        assert_close(submission.gaussian_logpdf(x, mean, -cov), unknown, nonfinite=True)

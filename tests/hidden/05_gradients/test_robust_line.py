"""robust_line(params, x, y, k): a loss that also learns what is far away.

The stub is a program whose values are right, and whose gradient in one parameter is 0.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

NAMES = ("slope", "offset", "log_scale")


def draw(rng, n=12, scale=(-0.5, 0.5), noise=1.0):
    """A line, and points of which some are near and some are far."""
    params = dict(zip(NAMES, rng.uniform(-1, 1, size=3), strict=True))
    params["log_scale"] = rng.uniform(*scale)
    x = rng.uniform(-2, 2, size=n)
    sides = np.resize([-1, 1], n) * rng.permutation(np.linspace(0.3, 4, n))
    y = params["slope"] * x + params["offset"] + noise * sides
    params = {name: np.float32(value) for name, value in params.items()}
    return params, np.float32(x), np.float32(y), np.float32(rng.uniform(1.2, 1.8))


def parts(params, x, y, k):
    residuals = np.float64(y) - float(params["slope"]) * np.float64(x) - float(params["offset"])
    s = np.exp(float(params["log_scale"]))
    return residuals, s, np.abs(residuals) <= float(k) * s


def loss(params, x, y, k):
    r, s, is_near = parts(params, x, y, k)
    k = float(k)
    return np.mean(np.where(is_near, r**2 / 2 / s, k * np.abs(r) - k**2 * s / 2)) + s / 2


def gradient(params, x, y, k):
    r, s, is_near = parts(params, x, y, k)
    k = float(k)
    pull = np.where(is_near, r / s, k * np.sign(r))
    by_scale = np.mean(np.where(is_near, -(r**2) / 2 / s**2, -(k**2) / 2)) + 0.5
    slopes = np.mean(-pull * np.float64(x)), np.mean(-pull), by_scale * s
    return dict(zip(NAMES, slopes, strict=True))


def kinds(rng):
    """Points that are near and far, all near, and all far."""
    yield "near and far", draw(rng)
    yield "near", draw(rng, scale=(1.5, 2), noise=0.5)
    yield "far", draw(rng, scale=(-3, -2))
    yield "a single one", draw(rng, n=1)
    _, x, y, k = draw(rng)
    yield "compared with parameters of 0", (dict.fromkeys(NAMES, np.float32(0)), x, y, k)


def part_of_a_loss(robust_line, *given):
    """The gradient that arrives at the loss isn't 1."""
    return -2 * robust_line(*given)


@pytest.mark.hint("Compute the loss of one near point and of one far point on paper.")
def test_the_loss_is_right(submission, rng):
    """The loss is that of the text, for points that are near and far."""
    for name, given in kinds(rng):
        with case(f"for points that are {name}"):
            assert_close(submission.robust_line(*given), loss(*given))
    params, x, y, k = draw(rng)
    with case("where k is a float"):
        assert_close(submission.robust_line(params, x, y, float(k)), loss(params, x, y, k))
    with case("where a number is NaN", hint="An unknown input makes the loss unknown."):
        for bad in (x, y):
            bad[3] = np.nan
            assert np.isnan(submission.robust_line(params, x, y, k))
            bad[3] = 1


@pytest.mark.hint("Does each point still pull on the line?")
def test_the_line_has_its_gradient(submission, rng):
    """The gradients in slope and offset are right, for points that are near and far."""
    for name, given in kinds(rng):
        found = submission.robust_line.used_by(part_of_a_loss).grad()(*given)
        expected = {name: -2 * slope for name, slope in gradient(*given).items()}
        with case(f"for points that are {name}"):
            assert_close(
                [found["slope"], found["offset"]],
                [expected["slope"], expected["offset"]],
                atol=1e-5,
            )


@pytest.mark.points(4)
@pytest.mark.hint("Which terms of the loss contain the scale? Does a derivative pass through each?")
def test_the_scale_has_its_gradient(submission, rng):
    """The gradient in the scale is right, whether points are near or far."""
    for name, given in kinds(rng):
        found = submission.robust_line.grad()(*given)
        with case(f"for points that are {name}"):
            assert_close(found["log_scale"], gradient(*given)["log_scale"], atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Does every parameter have its own gradient in each fit of a batch?")
def test_a_batch_of_fits(submission, rng):
    """Under `vmap` and `jit`, each fit has its own loss and gradients."""
    batch = [draw(rng), draw(rng, scale=(1.5, 2)), draw(rng, scale=(-3, -2))]
    params, x, y, k = jax.tree.map(lambda *leaves: np.stack(leaves), *batch)
    value, found = submission.robust_line.value_and_grad().vmap().jit()(params, x, y, k)
    assert_close(value, np.array([loss(*given) for given in batch]))
    expected = jax.tree.map(lambda *leaves: np.stack(leaves), *[gradient(*one) for one in batch])
    assert_close(found, expected, atol=1e-5)


def descended(robust_line, params, x, y, k):
    """What is fitted after 300 steps."""

    def step(params, _):
        slopes = jax.grad(robust_line)(params, x, y, k)
        return jax.tree.map(lambda p, slope: p - 0.1 * slope, params, slopes), None

    return jax.lax.scan(step, params, length=300)[0]


@pytest.mark.points(2)
@pytest.mark.hint("Start with a scale that is far too large. Where is it after some steps?")
def test_a_fit_finds_the_scale(submission, rng):
    """Gradient descent moves line and scale, from a scale that is too small or too large."""
    params, x, y, k = draw(rng, n=40)
    y[:4] += 20
    for start in (-1.5, 2.0):
        params["log_scale"] = np.float32(start)
        expected = {name: float(value) for name, value in params.items()}
        for _ in range(300):
            slopes = gradient(expected, x, y, k)
            expected = {name: expected[name] - 0.1 * slopes[name] for name in NAMES}
        found = submission.robust_line.used_by(descended)(params, x, y, k)
        with case(f"from a log_scale of {start}"):
            assert_close(found, jax.tree.map(np.float32, expected), atol=1e-2)

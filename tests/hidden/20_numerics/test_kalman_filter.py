"""kalman_filter(z, m0, P0, A, Q, H, R): against the formulas, in float64."""

import numpy as np
import pytest

from grader.suite import assert_close, case


def covariance(rng, n):
    root = rng.normal(size=(n, n))
    return root @ root.T / n + np.eye(n) / 2


def draw(rng, steps, n, k):
    """A model that moves and turns, and measurements of about the size that it expects."""
    A = 0.8 * np.linalg.qr(rng.normal(size=(n, n)))[0] + 0.1 * rng.normal(size=(n, n))
    H = rng.normal(size=(k, n)) + np.eye(k, n)
    model = rng.normal(size=n), covariance(rng, n), A, covariance(rng, n), H, covariance(rng, k)
    z = 2 * rng.normal(size=(steps, k))
    return z.astype(np.float32), *(x.astype(np.float32) for x in model)


def without(rng, z, count):
    """Some measurements are missing: the first one, and others."""
    z = z.copy()
    z[[0, *(1 + rng.permutation(len(z) - 2)[: count - 1])]] = np.nan
    return z


def right(z, m, P, A, Q, H, R):
    """The formulas as a Python loop."""
    z, m, P, A, Q, H, R = (np.asarray(x, np.float64) for x in (z, m, P, A, Q, H, R))
    means, covs, log = [], [], 0.0
    for measured in z:
        m, P = A @ m, A @ P @ A.T + Q
        if not np.isnan(measured).any():
            v, S = measured - H @ m, H @ P @ H.T + R
            K = P @ H.T @ np.linalg.inv(S)
            m, P = m + K @ v, P - K @ H @ P
            log -= (v @ np.linalg.solve(S, v) + np.linalg.slogdet(S)[1]) / 2
            log -= len(v) * np.log(2 * np.pi) / 2
        means.append(m)
        covs.append(P)
    return np.stack(means), np.stack(covs), np.asarray(log)


def check(found, given):
    means, covs, log = right(*given)
    assert_close(found[0], means, rtol=1e-3, atol=1e-3)
    assert_close(found[1], covs, rtol=1e-3, atol=1e-3)
    check_log(found, log)


def check_log(found, log):
    assert_close(found[2], log, rtol=3e-4, atol=1e-3)


@pytest.mark.points(3)
@pytest.mark.hint("In which order does a step predict and update? Which matrix is transposed?")
def test_the_distributions_follow_the_formulas(submission, rng):
    """Means and covariances after each step are those of the formulas."""
    for steps, n, k in ((1, 2, 1), (12, 2, 1), (7, 3, 2), (5, 2, 2)):
        given = draw(rng, steps, n, k)
        means, covs, _ = submission.kalman_filter(*given)
        expected = right(*given)
        assert_close((means, covs), expected[:2], rtol=1e-3, atol=1e-3)


@pytest.mark.points(2)
@pytest.mark.hint(
    "v and S are those before the update. And how many numbers does a measurement have?"
)
def test_the_likelihood_is_that_of_the_formula(submission, rng):
    """The logarithm of the likelihood is the sum over all steps."""
    for steps, n, k in ((1, 2, 1), (12, 2, 1), (7, 3, 2)):
        given = draw(rng, steps, n, k)
        check_log(submission.kalman_filter(*given), right(*given)[2])


@pytest.mark.points(2)
@pytest.mark.hint("What happens to mean and covariance in a step without a measurement?")
def test_missing_measurements_are_skipped(submission, rng):
    """Without a measurement, a step only predicts, and adds nothing to the logarithm."""
    for steps, n, k in ((12, 2, 1), (7, 3, 2)):
        z, *model = draw(rng, steps, n, k)
        given = without(rng, z, 3), *model
        check(submission.kalman_filter(*given), given)
    with case("where all are missing, and the covariance is large"):
        given = np.full_like(z, np.nan), model[0], 1e12 * model[1], *model[2:]
        check(submission.kalman_filter(*given), given)


def changed(scales, z, m0, P0, A, Q, H, R):
    """Other models, by a few numbers. All covariances stay symmetric."""
    a, q, h, r, m, p = scales
    return z, m * m0, p * P0, a * A, q * Q, h * H, r * R


def total(kalman_filter, scales, z, *others):
    """One number of all results."""
    *model, weights, rows = others
    means, covs, log = kalman_filter(*changed(scales, z, *model))
    return log + (means * weights).sum() + (covs * rows[:, None, None]).sum()


def slopes(given, weights, rows):
    """The gradient of `total` at ones, by differences in float64."""
    wide = [np.float64(x) for x in given]

    def value(scales):
        means, covs, log = right(*changed(scales, *wide))
        return log + (means * weights).sum() + (covs * rows[:, None, None]).sum()

    steps = 1e-5 * np.eye(6)
    return np.array([value(1 + step) - value(1 - step) for step in steps]) / 2e-5


@pytest.mark.points(2)
@pytest.mark.hint(
    "In the backward pass, 0 times NaN is NaN. Where does your program compute with NaN?"
)
def test_gradients_are_finite_without_a_measurement(submission, rng):
    """The gradients are those of the formulas, with and without all measurements."""
    gradient = submission.kalman_filter.used_by(total).grad(argnums=(0, 1)).jit()
    z, *model = draw(rng, 12, 2, 1)
    weights = rng.normal(size=(12, 2)).astype(np.float32)
    rows = rng.normal(size=12).astype(np.float32)
    for name, measured in (
        ("with all measurements", z),
        ("where some are missing", without(rng, z, 3)),
    ):
        with case(name):
            given = measured, *model
            by_scale, by_z = gradient(np.ones(6, np.float32), *given, weights, rows)
            expected = slopes(given, weights, rows)
            assert_close(by_scale, expected, atol=2e-3 * np.abs(expected).max())
            missing = np.isnan(measured)
            assert np.all(by_z[missing] == 0), "A missing measurement has a gradient."
            assert np.all(np.isfinite(by_z)), "The gradient in z is NaN or infinite."


@pytest.mark.hint("A Python loop puts a copy of a step into the program. Which loop doesn't?")
def test_many_steps_and_many_series(submission, rng):
    """The program for 200 steps is small, and under `vmap` each series has its own results."""
    with case("for many steps"):
        given = draw(rng, 200, 2, 1)
        program = submission.kalman_filter.program(*given)
        # A step takes more than five.
        assert program.size < 5 * 200
        check(program(*given), given)
    with case("under vmap", hint="Does each series have its own missing measurements?"):
        z, *model = draw(rng, 12, 2, 1)
        series = np.stack([without(rng, z, 3), z, without(rng, 2 * z, 3)])
        found = submission.kalman_filter.vmap(in_axes=(0, *[None] * 6)).jit()(series, *model)
        for number, each in enumerate(series):
            check([part[number] for part in found], (each, *model))

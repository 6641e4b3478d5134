"""heavy_ball(loss, params, batches, lr, momentum): SGD whose velocity goes from step to step.

The stub is a program whose velocity is 0 before every step.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

RATE = np.float32(0.05)


def error(params, batch):
    """The mean square of the errors of a linear model."""
    x, y = batch
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


def draw(rng, steps, n=8, d=3):
    """Parameters, and batches of one problem."""
    x = rng.normal(size=(steps, n, d))
    y = x @ rng.normal(size=d) + 2 + 0.1 * rng.normal(size=(steps, n))
    params = {"w": rng.normal(size=d).astype(np.float32), "b": np.float32(rng.normal())}
    return params, (x.astype(np.float32), y.astype(np.float32))


def train(params, batches, lr, momentum):
    """The same steps in float64: (parameters, losses)."""
    w, b = np.float64(params["w"]), np.float64(params["b"])
    dw, db, losses = np.zeros(w.shape), 0.0, []
    for x, y in zip(*map(np.float64, batches), strict=True):
        rest = x @ w + b - y
        losses.append(np.mean(rest**2))
        dw = momentum * dw + 2 * x.T @ rest / len(y)
        db = momentum * db + 2 * rest.mean()
        w, b = w - lr * dw, b - lr * db
    return {"w": w, "b": np.asarray(b)}, np.array(losses)


def check(found, *given):
    params, losses = train(*given)
    new, values = found
    with case("the losses"):
        assert_close(values, losses, rtol=1e-4, atol=1e-5)
    with case("the parameters"):
        assert_close(new, params, rtol=1e-4, atol=1e-5)


@pytest.mark.hint("Without momentum, is it still plain SGD?")
def test_without_momentum_it_is_sgd(submission, rng):
    """With a momentum of 0, each step is the rate times the gradient."""
    params, batches = draw(rng, 6)
    momentum = np.float32(0)
    found = submission.heavy_ball(error, params, batches, RATE, momentum)
    check(found, params, batches, RATE, momentum)


@pytest.mark.hint("What is the velocity before the first batch?")
def test_the_first_step_is_the_gradient(submission, rng):
    """With one batch, the velocity is the gradient."""
    params, batches = draw(rng, 1)
    momentum = np.float32(rng.uniform(0.5, 0.9))
    found = submission.heavy_ball(error, params, batches, RATE, momentum)
    check(found, params, batches, RATE, momentum)


@pytest.mark.points(4)
@pytest.mark.hint("Which numbers does a step get from the previous step?")
def test_the_velocity_goes_from_step_to_step(submission, rng):
    """After 12 batches, losses and parameters are those of SGD with momentum."""
    params, batches = draw(rng, 12)
    for momentum in (0.9, 0.5):
        momentum = np.float32(momentum)
        found = submission.heavy_ball(error, params, batches, RATE, momentum)
        check(found, params, batches, RATE, momentum)


@pytest.mark.points(2)
@pytest.mark.hint("Where are the gradients small and the velocity isn't?")
def test_it_rolls_on_without_a_gradient(submission, rng):
    """Where the gradient is 0, the parameters continue to move by the remaining velocity."""

    def slope(w, batch):
        return jnp.sum(w * batch)

    pushes = np.zeros((6, 4), np.float32)
    pushes[0], pushes[1] = rng.normal(size=(2, 4))
    w = rng.normal(size=4).astype(np.float32)
    momentum = np.float32(rng.uniform(0.6, 0.8))
    velocity, expected, losses = np.zeros(4), np.float64(w), []
    for push in np.float64(pushes):
        losses.append(expected @ push)
        velocity = momentum * velocity + push
        expected = expected - 0.25 * velocity
    found = submission.heavy_ball(slope, w, pushes, np.float32(0.25), momentum)
    assert_close(found, (expected, np.array(losses)), rtol=1e-4, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("A Python loop adds a copy of the step to the program for each batch.")
def test_one_program_for_many_batches(submission, rng):
    """Under `jit`, it is the same, and the program for 240 batches has fewer operations."""
    momentum, (params, batches) = np.float32(0.8), draw(rng, 240)
    args = error, params, batches, RATE, momentum
    program = submission.heavy_ball.jit(static_argnums=0).program(*args)
    assert program.size < 240, "The program grows with the batches."
    check(program.structured(*args), *args[1:])

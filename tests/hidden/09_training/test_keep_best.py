"""keep_best(w, xs, ys, x_val, y_val, lr): the weights with the smallest validation loss.

The stub is a program whose results are right, and that asks for a number in each step.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, steps=12, b=3, d=4, v=8):
    """Small batches, so that the validation loss goes up and down."""

    def normal(*shape):
        return rng.normal(size=shape).astype(np.float32)

    true = normal(d)
    xs, x_val = normal(steps, b, d), normal(v, d)
    ys, y_val = xs @ true + normal(steps, b), x_val @ true + normal(v)
    return true + 0.3 * normal(d), xs, ys, x_val, y_val, np.float32(rng.uniform(0.05, 0.15))


def train(w, xs, ys, x_val, y_val, lr):
    """The weights and the validation loss after each step, in float64."""
    w, weights, losses = np.float64(w), [], []
    for x, y in zip(np.float64(xs), ys, strict=True):
        w = w - lr * 2 * x.T @ (x @ w - y) / len(y)
        weights.append(w)
        losses.append(np.mean((np.float64(x_val) @ w - y_val) ** 2))
    return np.stack(weights), np.array(losses)


def check(result, *args):
    weights, losses = train(*args)
    best, found = result
    assert_close(found, losses, rtol=1e-4, atol=1e-5)
    # Where two losses are nearly equal, rounding may decide.
    near = np.flatnonzero(losses <= losses.min() * (1 + 1e-4))
    nearest = min(near, key=lambda k: np.abs(best - weights[k]).max())
    assert_close(best, weights[nearest], rtol=1e-4, atol=1e-4)


@pytest.mark.hint(
    "After which step do you evaluate the validation data, and whose weights are kept?"
)
def test_the_best_weights_come_back(submission, rng):
    """The weights are those after the step with the smallest loss, and all losses are returned."""
    for sizes in (*[{}] * 6, {"steps": 1}, {"steps": 30, "b": 4, "d": 1, "v": 4}):
        args = draw(rng, **sizes)
        result = tuple(submission.keep_best(*args))
        check(result, *args)


@pytest.mark.hint("What do you do with a loss that is equal to the lowest one?")
def test_the_first_of_equals_counts(submission, rng):
    """Of several steps with the same loss, the first one counts."""
    w, xs, ys, x_val, y_val, lr = draw(rng)
    # The steps change the last weight alone, and the validation looks at the others.
    xs[:, :, :-1], x_val[:, -1] = 0, 0
    best, losses = submission.keep_best(w, xs, ys, x_val, y_val, lr)
    weights, expected = train(w, xs, ys, x_val, y_val, lr)
    assert_close(losses, expected, rtol=1e-4)
    assert_close(best, weights[0], rtol=1e-4, atol=1e-4)


@pytest.mark.hint("What does your comparison, or your `argmin`, say about NaN?")
def test_nan_is_never_the_smallest(submission, rng):
    """Where training fails, the best weights before that are returned."""
    for fails in (0, 1, 6):
        with case(f"if step {fails} fails"):
            w, xs, ys, _, _, lr = draw(rng)
            # Each batch is the validation data, so the loss gets smaller until a step fails.
            xs[:], ys[:] = xs[0], ys[0]
            x_val, y_val = xs[0].copy(), ys[0].copy()
            ys[fails] = np.nan
            weights, losses = train(w, xs, ys, x_val, y_val, lr)
            best, found = submission.keep_best(w, xs, ys, x_val, y_val, lr)
            assert_close(found, losses, rtol=1e-4, atol=1e-5, nonfinite=True)
            assert_close(best, weights[fails - 1] if fails else w, rtol=1e-4, atol=1e-4)
    with case("if no loss is finite"):
        y_val[:] = 1e30
        assert_close(submission.keep_best(w, xs, ys, x_val, y_val, lr)[0], w)


@pytest.mark.points(3)
@pytest.mark.hint("Which line needs the value of a number while a program is traced?")
def test_the_training_is_one_program(submission, rng):
    """Training is traced as a whole, and 300 steps need fewer than 300 operations."""
    program = submission.keep_best.program(*draw(rng, steps=300))
    assert program.size < 300, "The program grows with the steps."
    for _ in range(5):
        args = draw(rng, steps=300)
        check(tuple(program(*args)), *args)


def mean_square(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def one_step(w, x, y, lr):
    return w - lr * jax.grad(mean_square)(w, x, y)


def step_by_step(w, xs, ys, x_val, y_val, lr):
    """The program of the stub."""
    best, lowest, losses = w, float("inf"), []
    for x, y in zip(xs, ys, strict=True):
        w = one_step(w, x, y, lr)
        loss = float(mean_square(w, x_val, y_val))
        losses.append(loss)
        if loss < lowest:
            best, lowest = w, loss
    return best, jnp.array(losses)


@pytest.mark.points(4)
@pytest.mark.hint("How often does one call return to Python?")
def test_it_is_fast(submission, race):
    """A call is at least five times as fast as one that requests a number in each step."""
    race(
        submission.keep_best,
        baseline=step_by_step,
        check=lambda result, *args: check(tuple(result), *args),
    )

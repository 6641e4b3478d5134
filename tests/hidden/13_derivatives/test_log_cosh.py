"""log_cosh(pred, target): a loss with a backward pass of its own, which obeys the chain rule.

The stub is a program whose backward pass returns the slopes, whatever arrives.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n=6, d=4):
    pred, target = rng.normal(size=(2, n, d)).astype(np.float32) * 2
    g = rng.choice([-1, 1], size=n) * rng.uniform(0.1, 5, size=n)
    return pred, target, g.astype(np.float32)


def exact(pred, target, g):
    """Losses and both gradients in float64."""
    error = np.float64(pred) - target
    losses = np.logaddexp(error, -error) - np.log(2)
    slopes = np.float64(g)[:, None] * np.tanh(error)
    return losses.sum(axis=1), slopes, -slopes


def both(log_cosh, pred, target, g):
    """The losses, and the gradients in both arguments for what arrives."""
    losses, backward = jax.vjp(log_cosh, pred, target)
    return losses, *backward(g)


def weighted(log_cosh, pred, target, g):
    return g @ log_cosh(pred, target)


def check(found, *given):
    for name, leaf, expected in zip(
        ("the losses", "the gradient in `pred`", "the gradient in `target`"),
        found,
        exact(*given),
        strict=True,
    ):
        with case(name):
            assert_close(leaf, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.hint("The logarithm of a cosine: where is the exponential too large?")
def test_the_losses_are_right(submission, rng):
    """Each example has its loss, also where an error is large."""
    pred, target, g = draw(rng)
    pred[1, 2] += 500
    target[3, 0] += 2000
    assert_close(submission.log_cosh(pred, target), exact(pred, target, g)[0], rtol=1e-5)


@pytest.mark.hint("Which sign has the slope in the target?")
def test_the_gradient_of_the_sum_is_right(submission, rng):
    """Where 1 arrives for each example, both gradients are the slopes, also for large errors."""
    pred, target, g = draw(rng)
    pred[0, 1] -= 300
    g[:] = 1
    check(submission.log_cosh.used_by(both)(pred, target, g), pred, target, g)


@pytest.mark.points(4)
@pytest.mark.hint("What arrives in the backward pass, and where is it used?")
def test_each_example_has_its_own_factor(submission, rng):
    """In a weighted sum of the losses, the weights are factors of the gradients."""
    for sizes in ({}, {"n": 4, "d": 4}, {"n": 1, "d": 3}, {"n": 5, "d": 1}):
        given = draw(rng, **sizes)
        check(submission.log_cosh.used_by(both)(*given), *given)


@pytest.mark.points(2)
@pytest.mark.hint("Does the backward pass use more of what arrives than its mean, or its sign?")
def test_a_function_of_the_losses(submission, rng):
    """The gradient goes through whatever follows: a mean, a square, a minus sign."""

    def follows(log_cosh, pred, target):
        losses = log_cosh(pred, target)
        return jnp.mean(losses**2) - losses[1]

    pred, target, _ = draw(rng)
    losses = exact(pred, target, np.ones(6))[0]
    g = 2 * losses / 6 - np.eye(6)[1]
    found = submission.log_cosh.used_by(follows).grad(argnums=(0, 1)).jit()(pred, target)
    assert_close(found, exact(pred, target, g)[1:], rtol=1e-4, atol=1e-4)


@pytest.mark.hint("Which arrays does the forward pass return for the backward pass?")
def test_only_the_errors_are_kept(submission, rng):
    """One array of the size of `pred` is kept for the backward pass."""
    pred, target, g = draw(rng, 20, 30)
    losses, kept = submission.log_cosh.kept(pred, target)
    check((losses, *kept.gradients(g)), pred, target, g)
    text = f"For errors of {pred.nbytes} bytes, {kept.bytes} bytes are kept."
    assert kept.bytes <= pred.nbytes + 64, text


@pytest.mark.hint("Under vmap, each batch has an array of factors of its own.")
def test_a_batch_of_batches(submission, rng):
    """Under `vmap` and `jit`, each batch has its losses and its gradients."""
    given = [np.stack(parts) for parts in zip(*(draw(rng, 3, 2) for _ in range(3)), strict=True)]
    found = submission.log_cosh.used_by(both).vmap().jit()(*given)
    for k in range(3):
        check([leaf[k] for leaf in found], *(part[k] for part in given))

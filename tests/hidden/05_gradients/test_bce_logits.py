"""bce_logits(z, y): cross entropy from a logit, with value and gradient for logits of any size.

No gradient is asked for at z = 0, where the form with an absolute value has none.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

# At moderate logits the textbook formula loses a few digits. That is allowed.
CLOSE = 1e-4


def loss(z, y):
    z, y = np.asarray(z, np.float64), np.asarray(y, np.float64)
    return np.logaddexp(0, z) - y * z


def slope(z, y):
    """Probability minus label, in float64."""
    return np.exp(-np.logaddexp(0, -np.asarray(z, np.float64))) - y


def moderate(rng, size):
    """Logits of both signs, none of them near 0."""
    return (rng.uniform(0.2, 7, size) * rng.choice([-1, 1], size)).astype(np.float32)


def big(rng):
    """Logits at which the textbook formula breaks, each with the label 0 and the label 1."""
    sizes = np.array([*rng.uniform([20, 90], [80, 110]), 1000, 1e4])
    z, y = np.meshgrid(np.float32([*sizes, *-sizes]), np.float32([0, 1]))
    return z.ravel(), y.ravel()


def weighted(bce_logits, z, y, weights):
    """A number that is computed from the losses of a batch."""
    return (weights * jax.vmap(bce_logits)(z, y)).sum()


@pytest.mark.hint("What is the loss at z = 0, and does it fall or rise as z grows?")
def test_the_value_is_the_cross_entropy(submission, rng):
    """At moderate logits, the value is that of the textbook formula."""
    for z in (0.0, *moderate(rng, 4)):
        for y in (0.0, 1.0):
            found = submission.bce_logits(float(z), y)
            assert_close(found, np.asarray(loss(z, y)), atol=CLOSE)


@pytest.mark.hint("A label may be 0.3, or an integer.")
def test_labels_may_be_soft_or_integers(submission, rng):
    """Labels between 0 and 1 mix the two losses, and integer labels give a float loss."""
    for z in moderate(rng, 3):
        y = np.float32(rng.uniform(0.1, 0.45))
        assert_close(submission.bce_logits(z, y), np.asarray(loss(z, y)), atol=CLOSE)
        y = np.int32(rng.integers(2))
        assert_close(submission.bce_logits(z, y), np.asarray(loss(z, y)), atol=CLOSE)


@pytest.mark.points(2)
@pytest.mark.hint("Which intermediate result is 0, 1 or infinite there? Avoid computing it.")
def test_big_logits_have_their_value(submission, rng):
    """At logits from twenty to ten thousand, of both signs, the value is right for each label."""
    for z, y in zip(*big(rng), strict=True):
        # A right answer may subtract numbers as large as the logit.
        atol = 4e-6 * np.abs(z)
        found = submission.bce_logits(float(z), float(y))
        assert_close(found, np.asarray(loss(z, y)), atol=atol)


@pytest.mark.hint("Differentiate the loss on paper. Does the label appear in it as it should?")
def test_the_gradient_is_probability_minus_label(submission, rng):
    """The gradient in the logit is p - y, that in a soft label is -z, even in a larger loss."""
    z, y = moderate(rng, 8), rng.uniform(0.1, 0.9, 8).astype(np.float32)
    weights = rng.uniform(-2, 2, 8).astype(np.float32)
    found = submission.bce_logits.used_by(weighted).grad(argnums=(0, 1))(z, y, weights)
    assert_close(found, (weights * slope(z, y), -weights * z), atol=CLOSE)
    y = rng.integers(2, size=8).astype(np.float32)
    assert_close(submission.bce_logits.grad().vmap()(z, y), slope(z, y), atol=CLOSE)


@pytest.mark.points(3)
@pytest.mark.hint("A gradient runs through both sides of `where`, and infinity times 0 is NaN.")
def test_big_logits_have_a_gradient(submission, rng):
    """At logits from twenty to ten thousand, the gradient is p - y, not NaN and not lost."""
    z, y = big(rng)
    assert_close(submission.bce_logits.grad().vmap()(z, y), slope(z, y), atol=1e-5)


@pytest.mark.hint(
    "Logit and label have no value while tracing. Do you test one of them with an `if`?"
)
def test_a_batch_is_a_program(submission, rng):
    """Under `vmap` and `jit`, one program serves all logits and labels."""
    z, y = moderate(rng, 6), rng.uniform(0, 1, 6).astype(np.float32)
    assert_close(submission.bce_logits.vmap().jit()(z, y), loss(z, y), atol=CLOSE)
    shared = submission.bce_logits.vmap(in_axes=(0, None)).jit()
    assert_close(shared(z, np.int32(1)), loss(z, 1), atol=CLOSE)


def test_details(submission, rng):
    """It works for a soft label at a big logit, in the value and in the gradient."""
    z, _ = big(rng)
    y = rng.uniform(0.1, 0.9, z.shape).astype(np.float32)
    value, (of_logit, of_label) = submission.bce_logits.value_and_grad(argnums=(0, 1)).vmap()(z, y)
    hint = "With a soft label, a big logit of either sign is wrong."
    with case("in the value for a soft label at a big logit", hint=hint):
        assert_close(value, loss(z, y), rtol=1e-5)
    with case("in the gradient for a soft label at a big logit", hint=hint):
        assert_close(of_logit, slope(z, y), atol=1e-5)
        assert_close(of_label, -z, rtol=1e-5)

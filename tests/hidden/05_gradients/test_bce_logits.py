"""bce_logits(z, y): cross entropy from a logit, with value and gradient for logits of any size.

Logits of one size are compared together, right and wrong ones. The tolerance follows the largest
loss among them, since a right answer may subtract numbers as large as the logit.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close

# At moderate logits the textbook formula loses a few digits. That is allowed.
CLOSE = 1e-4
LN2 = np.log(np.float64(2))


def loss(z, y):
    z, y = np.asarray(z, np.float64), np.asarray(y, np.float64)
    return np.logaddexp(0, z) - y * z


def slope(z, y):
    """Probability minus label, in float64."""
    z = np.asarray(z, np.float64)
    return np.exp(-np.logaddexp(0, -z)) - y


def middle(rng):
    """Logits at which the logarithm is small, but counts."""
    return rng.uniform([5, 6, 7, 9, 12], [6, 7, 9, 11, 12.5])


def big(rng):
    """Logits from 20 to 3e38, near the largest float32, and their negatives."""
    sizes = np.array([*rng.uniform(20, 90, 2), 100, 1e4, 3e38])
    return np.concatenate([-sizes, sizes])


def both_labels(logits):
    """Each logit with the label 0 and the label 1, as arrays in float32."""
    z, y = np.meshgrid(np.asarray(logits, np.float32), np.array([0, 1], np.float32))
    return z.ravel(), y.ravel()


def value_and_slopes(submission, z, y):
    """The losses of a batch of 20, and their derivatives in logit and label."""
    return submission.bce_logits.value_and_grad(argnums=(0, 1)).vmap()(z, y)


def weighted(bce_logits, z, y, weights):
    """A number that is computed from the losses of a batch."""
    return (weights * jax.vmap(bce_logits)(z, y)).sum()


@pytest.mark.hint("What is the loss at z = 0, and does it fall or rise when z grows?")
def test_the_value_is_the_cross_entropy(submission, rng):
    """At moderate logits, the value is that of the textbook formula."""
    assert_close([submission.bce_logits(0.0, y) for y in (0.0, 1.0)], [LN2, LN2], atol=5e-7)
    for z in (*rng.uniform(0.5, 5, 3).astype(np.float32), -float(rng.uniform(1, 4))):
        found = [submission.bce_logits(float(z), y) for y in (0.0, 1.0)]
        expected = [np.asarray(loss(z, y)) for y in (0, 1)]
        assert_close(found, expected, atol=CLOSE)


@pytest.mark.hint("A label may be 0.3. It may also be an integer.")
def test_labels_may_be_soft_or_integers(submission, rng):
    """Labels between 0 and 1 mix the two losses, and integer labels give a float loss."""
    for y in np.float32([0.01, rng.uniform(0.1, 0.45), 0.99]):
        z = np.float32(rng.uniform(1, 4) * rng.choice([-1, 1]))
        assert_close(submission.bce_logits(z, y), np.asarray(loss(z, y)), atol=CLOSE)
        found = submission.bce_logits(float(z), float(y))
        assert_close(found, np.asarray(loss(z, y)), atol=CLOSE)
    for y in (0, 1):
        z = np.float32(rng.uniform(1, 4))
        # In unsigned integers, minus one is a large number.
        assert_close(submission.bce_logits(z, np.uint8(y)), np.asarray(loss(z, y)), atol=CLOSE)


@pytest.mark.hint("Which intermediate result is 0, 1 or infinite there? Avoid computing it.")
def test_big_logits_have_their_value(submission, rng):
    """At logits of ten, a hundred, ten thousand and 3e38 the value is right, whatever the label."""
    for k, size in enumerate((*middle(rng)[1:], rng.uniform(20, 90), 100, 1e4, 3e38)):
        kinds = (np.float32, float) if k % 2 else (np.float32,)
        for z, y in zip(*both_labels([-size, size]), strict=True):
            # The tolerance allows a subtraction of numbers as large as the logit.
            atol = 4e-6 * size if size < 1000 else 0
            for kind in kinds:
                found = submission.bce_logits(kind(z), kind(y))
                assert_close(found, np.asarray(loss(z, y)), atol=atol)


@pytest.mark.hint("Differentiate the loss by hand. Does the label appear in it as it should?")
def test_the_gradient_is_probability_minus_label(submission, rng):
    """The gradient in the logit is p - y, for hard and soft labels, and inside of a chain rule.

    That in a soft label is -z.
    """
    # Not at z = 0, where the form with an absolute value has no derivative.
    near_zero = [-1e-30, 1e-30]
    z, y = both_labels([*rng.uniform(-5, -0.1, 4), *rng.uniform(0.1, 5, 4), *near_zero])
    assert_close(value_and_slopes(submission, z, y)[1][0], slope(z, y), atol=CLOSE)
    # A number of a whole batch, where the labels are integers.
    weights = rng.uniform(-2, 2, z.shape).astype(np.float32)
    found = submission.bce_logits.used_by(weighted).grad()(z, y.astype(np.int32), weights)
    assert_close(found, weights * slope(z, y), atol=CLOSE)
    y = rng.uniform(0.1, 0.9, z.shape).astype(np.float32)
    assert_close(value_and_slopes(submission, z, y)[1], (slope(z, y), -z), atol=CLOSE)


@pytest.mark.points(3)
@pytest.mark.hint("A gradient runs through both sides of `where`, and infinity times 0 is NaN.")
def test_big_logits_have_a_gradient(submission, rng):
    """At logits from ten to 3e38 the gradient is p - y, not NaN and not lost."""
    sizes = middle(rng)
    z, y = both_labels([*sizes, *-sizes])
    # A right answer may compute exp(z - softplus(z)), where a softplus from 8 on is rounded to
    # 1e-6. The smallest probability is 4e-6.
    gradient = submission.bce_logits.grad().vmap()
    assert_close(gradient(z, y), slope(z, y), atol=2e-6)
    z, y = both_labels(big(rng))
    assert_close(gradient(z, y), slope(z, y))


@pytest.mark.hint("With a soft label, a big logit is wrong on either side.")
def test_big_logits_with_soft_labels(submission, rng):
    """At logits from 20 to 3e38, value and gradients are right for soft labels, too."""
    z, _ = both_labels(big(rng))
    y = rng.uniform(0.1, 0.9, z.shape).astype(np.float32)
    value, (gradient, of_label) = value_and_slopes(submission, z, y)
    assert_close(gradient, slope(z, y), atol=1e-5)
    assert_close(of_label / np.abs(z), -np.sign(z), atol=4e-6)
    assert_close(value / np.abs(z), loss(z, y) / np.abs(z).astype(np.float64), atol=4e-6)


@pytest.mark.hint("Call `jax.grad` without `jit`, at a logit of 100. Which step gives NaN?")
def test_big_logits_have_a_gradient_without_jit(submission, rng):
    """Also operation by operation, the gradient of big logits is p - y, and that of tiny ones."""
    # A compiler may remove a step that gives NaN.
    sizes = rng.uniform([1e-31, 90, 1e38], [1e-30, 110, 3e38])
    z, y = both_labels(np.concatenate([-sizes, sizes]))
    live = submission.bce_logits.grad().reported()
    for one, label in zip(z, y, strict=True):
        assert_close(live(one, label), np.asarray(slope(one, label)), atol=1e-5)


@pytest.mark.hint(
    "Logit and label have no value while tracing. Do you test one of them with an `if`?"
)
def test_a_batch_is_a_program(submission, rng):
    """Under `vmap` and `jit` one program serves all logits and labels."""
    z, y = both_labels([0, *rng.uniform(-5, 5, 4)])
    jitted = submission.bce_logits.vmap().jit()
    assert_close(jitted(z, y), loss(z, y), atol=CLOSE)
    shared = submission.bce_logits.vmap(in_axes=(0, None)).jit()
    for label in (0, 1):
        assert_close(shared(z, np.int32(label)), loss(z, label), atol=CLOSE)

"""lean_xent(logits, labels): a loss whose backward pass keeps next to nothing.

The forward and the backward pass are two programs. What goes from one to the other is kept.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

KINDS = (np.float32, jnp.bfloat16, np.float16)
MANY = 70_000


def draw(rng, rows, words, dtype=np.float32, spread=3.0):
    """Logits whose rows have different means, labels, and gradients that arrive."""
    logits = rng.normal(size=(rows, words)) * spread + rng.normal(size=(rows, 1)) * 8
    labels = rng.integers(words, size=rows).astype(np.int32)
    g = rng.choice([-1, 1], size=rows) * 10 ** rng.uniform(-1, 3, size=rows)
    return logits.astype(dtype), labels, g.astype(np.float32)


def exact(logits, labels):
    """Loss and derivative of each row in float64."""
    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    total = np.log(np.exp(wide).sum(axis=1))
    rows = np.arange(len(labels))
    others = np.exp(wide - total[:, None])
    slopes = others.copy()
    # 1 - p without a difference of two numbers near 1.
    others[rows, labels] = 0
    slopes[rows, labels] = -others.sum(axis=1)
    return total - wide[rows, labels], slopes


def both(lean_xent, logits, labels, g):
    """The loss where nobody asks for a gradient, and both where somebody does."""
    loss, backward = jax.vjp(lambda logits: lean_xent(logits, labels), logits)
    return lean_xent(logits, labels), loss, *backward(g)


def both_outside(lean_xent, logits, labels, g):
    """Reverse mode around `jit` and `vmap`."""
    return both(jax.vmap(jax.jit(lean_xent)), logits, labels, g)


def layer(lean_xent, weights, inputs, labels):
    """The mean loss of a layer."""
    return lean_xent(inputs @ weights, labels).mean()


def check(found, logits, labels, g):
    """Compares losses and a gradient, element by element."""
    *losses, gradient = found
    expected, slopes = exact(logits, labels)
    for loss in losses:
        assert_close(loss, expected, rtol=1e-5, atol=4e-6 * np.abs(logits.astype(np.float64)).max())
    assert gradient.dtype == logits.dtype
    found, slopes = gradient.astype(np.float32), g.astype(np.float64)[:, None] * slopes
    # The gradient is rounded once, at the end.
    rtol = float(jnp.finfo(logits.dtype).eps) / 2 + 1e-4
    # In the element of the label, two numbers near 1 are subtracted.
    rows, scale = np.arange(len(labels)), np.where(g == 0, 1, g)
    own, expected = (part[rows, labels] / scale for part in (found, slopes))
    assert_close(np.float32(own), expected, rtol=rtol, atol=1e-5)
    found[rows, labels] = slopes[rows, labels] = 0
    atol = 1e-6 if logits.dtype == np.float16 else 1e-30
    assert_close(found, slopes, rtol=rtol, atol=atol)


@pytest.mark.hint("Cast the logits to float32 first. And is the sum over the words of one row?")
def test_each_row_has_its_loss(submission, rng):
    """The losses are those of the formula, in float32 for every dtype of the logits."""
    sizes = ((3, 4), (2, 300), (3, 4), (1, 1))
    for dtype, (rows, words) in zip((*KINDS, np.float32), sizes, strict=True):
        logits, labels, _ = draw(rng, rows, words, dtype)
        expected, _ = exact(logits, labels)
        assert_close(submission.lean_xent(logits, labels), expected, rtol=1e-5, atol=4e-5)


@pytest.mark.points(2)
@pytest.mark.hint("In which precision are softmax and one-hot subtracted? And who multiplies by g?")
def test_the_gradient_is_right(submission, rng):
    """Each element has its gradient in the dtype of the logits, times the one that arrives."""
    used = submission.lean_xent.used_by(both)
    for dtype in KINDS:
        logits, labels, g = draw(rng, 5, 7, dtype)
        # The first row is sure of its label, and the second one of another word.
        logits[0], logits[1] = 0, 1
        logits[0, labels[0]] = 8
        logits[1, (labels[1] + 1) % 7] = 9
        # One word of the third row is nearly impossible.
        logits[2, (labels[2] + 1) % 7] = logits[2].max() - 60
        # More than fits in float16 arrives for the first row, though its gradient fits. None
        # arrives for the last one.
        g[0], g[-1] = rng.uniform(1e5, 1e7), 0
        check(used(logits, labels, g), logits, labels, g)


@pytest.mark.points(4)
@pytest.mark.hint("Which arrays as large as the logits are kept, and in which dtype?")
def test_little_is_kept(submission, rng):
    """Beside the logits and the labels, at most 16 bytes for each row are kept."""
    for dtype, rows, words in (
        (np.float16, 9, 290),
        (jnp.bfloat16, 9, 290),
        (np.float32, 9, 290),
        # Nor is a number kept for each block of words, or a label in 16 bits.
        (jnp.bfloat16, 2, MANY),
    ):
        logits, labels, g = draw(rng, rows, words, dtype)
        if words == MANY:
            labels[:] = MANY - 1 - labels % 1000
        loss, kept = submission.lean_xent.kept(logits, labels)
        check((loss, *kept.gradients(g)), logits, labels, g)
        assert kept.bytes <= logits.nbytes + labels.nbytes + 16 * len(labels)


@pytest.mark.hint("The product of the last layer is kept once, in its own dtype. What else is?")
def test_little_is_kept_in_a_layer(submission, rng):
    """In the loss of a layer of a network, no float32 array of the size of the logits is kept."""
    rows, words, width = 211, 270, 4
    labels = rng.integers(words, size=rows).astype(np.int32)
    weights, inputs = (
        rng.normal(size=shape).astype(jnp.bfloat16) for shape in ((width, words), (rows, width))
    )
    value, kept = submission.lean_xent.used_by(layer).jit().kept(weights, inputs, labels)
    gradients = kept.gradients(np.float32(1).astype(value.dtype))
    products = inputs.astype(np.float64) @ weights.astype(np.float64)
    expected, slopes = exact(products, labels)
    assert_close(value, np.asarray(expected.mean()), rtol=0.02)
    slopes /= rows
    exact_gradients = inputs.T.astype(np.float64) @ slopes, slopes @ weights.T.astype(np.float64)
    for found, slope in zip(gradients, exact_gradients, strict=True):
        scale = np.abs(slope).max()
        assert found.dtype == jnp.bfloat16
        assert_close(found.astype(np.float32), slope, atol=0.03 * scale)
    # Labels and a few numbers for each row; the weights and the inputs are kept for the product.
    allowed = 2 * rows * words + weights.nbytes + inputs.nbytes + 32 * rows
    assert kept.bytes <= allowed


@pytest.mark.words
@pytest.mark.hint("What is the exponential of 100 in float32? `jax.nn.logsumexp` knows a way.")
def test_huge_logits_are_finite(submission, rng):
    """Where one logit is far above the others, the loss is the distance to it."""
    used = submission.lean_xent.used_by(both)
    for dtype, huge in (
        (np.float32, 1e4),
        (np.float32, 1e30),
        (jnp.bfloat16, 1e30),
        (np.float16, 3e4),
    ):
        logits = np.zeros((3, 5), dtype)
        labels = np.int32([2, 2, 0])
        logits[0, 2] = logits[1, 4] = huge
        logits[2] = -huge
        g = np.float32([1, -2, 3])
        slopes = np.zeros((3, 5))
        slopes[1, 4], slopes[1, 2] = -2, 2
        slopes[2] = [-2.4, 0.6, 0.6, 0.6, 0.6]
        loss = np.float32([0, logits[1, 4], np.log(5)])
        *losses, gradient = used(logits, labels, g)
        for found in losses:
            assert_close(found[:2], loss[:2])
            # Beside a huge number there is no place for a small one.
            assert_close(found[2], loss[2], atol=4e-7 * huge)
        if huge < 1e20:
            assert_close(gradient, slopes.astype(dtype), rtol=0.01)
        else:
            assert_close(gradient[:2], slopes[:2].astype(dtype))
            assert np.isfinite(gradient.astype(np.float32)).all()


@pytest.mark.hint(
    "Under vmap each example has logits with two axes, and a label for each row. Does your rule "
    "get the labels as an argument?"
)
def test_a_batch_of_sequences(submission, rng):
    """Under `vmap` and `jit`, each sequence of a batch has its losses and its gradients.

    Reverse mode may be inside of them, or outside.
    """
    pairs = [draw(rng, 4, 6) for _ in range(3)]
    given = tuple(map(np.stack, zip(*pairs, strict=True)))
    inside = submission.lean_xent.used_by(both).vmap().jit()
    outside = submission.lean_xent.used_by(both_outside)
    for used in (inside, outside):
        for *found, pair in zip(*used(*given), pairs, strict=True):
            check(found, *pair)

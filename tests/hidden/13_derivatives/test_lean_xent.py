"""lean_xent(logits, labels): a loss whose backward pass keeps next to nothing.

The forward and the backward pass are two programs. What goes from one to the other is kept.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

HALVES = {"float16": np.float16, "bfloat16": jnp.bfloat16}


def draw(rng, rows, words, dtype=np.float32):
    """Logits whose rows have different means, labels, and gradients that arrive."""
    logits = rng.normal(size=(rows, words)) * 3 + rng.normal(size=(rows, 1)) * 8
    labels = rng.integers(words, size=rows).astype(np.int32)
    g = rng.choice([-1, 1], size=rows) * rng.uniform(0.1, 10, size=rows)
    return logits.astype(dtype), labels, g.astype(np.float32)


def exact(logits, labels):
    """Loss and derivative of each row in float64."""
    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    total = np.log(np.exp(wide).sum(axis=1))
    rows = np.arange(len(labels))
    slopes = np.exp(wide - total[:, None])
    slopes[rows, labels] -= 1
    return total - wide[rows, labels], slopes


def both(lean_xent, logits, labels, g):
    """The loss where nobody asks for a gradient, and both where somebody does."""
    loss, backward = jax.vjp(lambda logits: lean_xent(logits, labels), logits)
    return lean_xent(logits, labels), loss, *backward(g)


def check_gradient(gradient, logits, labels, g):
    """The gradient in the dtype of the logits, without the factor g of each row."""
    assert_close(gradient, np.zeros(logits.shape, logits.dtype), atol=np.inf)
    each = gradient.astype(np.float32) / g[:, None]
    rtol = max(1e-4, float(jnp.finfo(logits.dtype).eps))
    assert_close(each, exact(logits, labels)[1], rtol=rtol, atol=1e-4)


def check(found, logits, labels, g):
    *losses, gradient = found
    for loss in losses:
        assert_close(loss, exact(logits, labels)[0], rtol=1e-5, atol=1e-4)
    check_gradient(gradient, logits, labels, g)


@pytest.mark.hint("Is the sum over the words of one row? Which logit is subtracted from its log?")
def test_each_row_has_its_loss(submission, rng):
    """The losses are those of the formula, one for each row."""
    for rows, words in ((3, 4), (2, 300), (1, 1)):
        logits, labels, _ = draw(rng, rows, words)
        found = submission.lean_xent(logits, labels)
        assert_close(found, exact(logits, labels)[0], rtol=1e-5, atol=1e-4)


@pytest.mark.hint("Softmax minus one-hot. Which g is each row multiplied by?")
def test_the_gradient_is_right(submission, rng):
    """The gradient of each row is that of the formula, times the one that arrives for the row."""
    used = submission.lean_xent.used_by(both)
    for rows, words in ((5, 7), (2, 30)):
        logits, labels, g = draw(rng, rows, words)
        check_gradient(used(logits, labels, g)[-1], logits, labels, g)


@pytest.mark.points(4)
@pytest.mark.hint("Which arrays as large as the logits are kept, and in which dtype?")
def test_little_is_kept(submission, rng):
    """Beside the logits and the labels, at most 16 bytes for each row are kept."""
    for dtype in (jnp.bfloat16, np.float32):
        logits, labels, g = draw(rng, 9, 290, dtype)
        loss, kept = submission.lean_xent.kept(logits, labels)
        check((loss, *kept.gradients(g)), logits, labels, g)
        bound = logits.nbytes + labels.nbytes + 16 * len(labels)
        text = f"For logits of {logits.nbytes} bytes, {kept.bytes} bytes are kept in all."
        assert kept.bytes <= bound, text


@pytest.mark.hint("The product of the last layer is kept once, in its own dtype. What else is?")
def test_little_is_kept_in_a_layer(submission, rng):
    """In the loss of a layer of a network, no float32 array of the size of the logits is kept."""

    def layer(lean_xent, weights, inputs, labels):
        return lean_xent(inputs @ weights, labels).mean()

    rows, words, width = 200, 270, 4
    labels = rng.integers(words, size=rows).astype(np.int32)
    weights, inputs = (
        rng.normal(size=shape).astype(jnp.bfloat16) for shape in ((width, words), (rows, width))
    )
    value, kept = submission.lean_xent.used_by(layer).jit().kept(weights, inputs, labels)
    products = inputs.astype(np.float64) @ weights.astype(np.float64)
    expected, slopes = exact(products, labels)
    assert_close(value, np.asarray(expected.mean()), rtol=0.02)
    in_weights, _ = kept.gradients(np.float32(1))
    slope = inputs.T.astype(np.float64) @ slopes / rows
    assert_close(in_weights, slope.astype(jnp.bfloat16), atol=0.03 * np.abs(slope).max())
    # Labels and a few numbers for each row; the weights and the inputs are kept for the product.
    allowed = 2 * rows * words + weights.nbytes + inputs.nbytes + 32 * rows
    assert kept.bytes <= allowed, f"For logits of {2 * rows * words} bytes, {kept.bytes} are kept."


@pytest.mark.hint("What is the exponential of 1000 in float32? `jax.nn.logsumexp` knows a way.")
def test_large_logits_are_finite(submission, rng):
    """Where one logit is far above the others, the loss is the distance to it."""
    used = submission.lean_xent.used_by(both)
    logits, labels, g = draw(rng, 3, 5)
    labels[:] = 2
    logits[0, 2] = logits[1, 4] = rng.uniform(1000, 10_000)
    logits[2] -= 1000
    *losses, gradient = used(logits, labels, g)
    for loss in losses:
        assert_close(loss, exact(logits, labels)[0], rtol=1e-5, atol=1e-3)
    expected = g.astype(float)[:, None] * exact(logits, labels)[1]
    assert_close(gradient, expected, rtol=1e-3, atol=1e-2)


@pytest.mark.hint(
    "Under vmap each example has logits with two axes, and a label for each row. Does your rule "
    "get the labels as an argument?"
)
def test_a_batch_of_sequences(submission, rng):
    """Under `vmap` and `jit`, each sequence of a batch has its losses and its gradients."""

    def both_outside(lean_xent, logits, labels, g):
        return both(jax.vmap(jax.jit(lean_xent)), logits, labels, g)

    pairs = [draw(rng, 4, 6) for _ in range(3)]
    given = tuple(map(np.stack, zip(*pairs, strict=True)))
    for name, used in (
        ("with the gradient inside vmap", submission.lean_xent.used_by(both).vmap().jit()),
        ("with the gradient around vmap", submission.lean_xent.used_by(both_outside)),
    ):
        with case(name, hint="Does your rule get the labels as an argument, for each example?"):
            for *found, pair in zip(*used(*given), pairs, strict=True):
                check(found, *pair)


def test_details(submission, rng):
    """It works for logits in half precision, and for large g."""
    used = submission.lean_xent.used_by(both)
    for name, dtype in HALVES.items():
        logits, labels, g = draw(rng, 5, 7, dtype)
        with case(f"in the loss of {name} logits", hint="Cast the logits to float32 first."):
            *losses, _ = used(logits, labels, g)
            for loss in losses:
                assert_close(loss, exact(logits, labels)[0], rtol=1e-5, atol=1e-4)
        with case(
            f"in the gradient of {name} logits",
            hint="In which precision are softmax and one-hot subtracted? When do you round?",
        ):
            # The first row is sure of its label.
            logits[0] = 0
            logits[0, labels[0]] = 6
            check_gradient(used(logits, labels, g)[-1], logits, labels, g)
    with case("for g beyond the float16 numbers", hint="In which dtype do you multiply by g?"):
        logits, labels, g = draw(rng, 2, 7, np.float16)
        logits[0] = 0
        logits[0, labels[0]] = 6
        g[0] = rng.uniform(1e5, 1e6)
        check_gradient(used(logits, labels, g)[-1], logits, labels, g)

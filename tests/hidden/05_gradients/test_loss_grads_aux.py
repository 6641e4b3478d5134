"""loss_grads_aux(x, y): a loss, two gradients and the differences, each with its own test."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close

SHAPES = [(3, 4), (4, 4), (997,), (3, 1, 7, 1, 1, 47)]
SIZES = [1, 1e-15, 1e15]


def draw(rng, *shape, size=1):
    return tuple(np.asarray(size * rng.normal(size=shape), np.float32) for _ in range(2))


def nearly_equal(rng, *shape):
    """Large numbers of which float32 holds the differences, but not the squares."""
    y = rng.integers(20_000, 30_000, size=shape).astype(np.float32)
    return (y + rng.integers(1, 32, size=shape) / 64).astype(np.float32), y


def reference(x, y):
    """(loss, (gx, gy), aux) in float64."""
    aux = x.astype(np.float64) - y.astype(np.float64)
    gx = np.asarray(2 * aux / aux.size)
    return np.asarray(np.mean(aux**2)), (gx, -gx), np.asarray(aux)


def loss_and_parts(loss_grads_aux, x, y):
    """Three times the loss, to be differentiated from outside, and all that came with it."""
    result = loss_grads_aux(x, y)
    return 3 * result[0], result


def parts(submission, x, y):
    result = submission.loss_grads_aux(x, y)
    assert isinstance(result, tuple), "the result is no tuple"
    assert len(result) == 3, "the result has not three parts"
    return result


def with_pair(result):
    """The three parts, with the gradients in a tuple: their container has a test of its own."""
    loss, grads, aux = result
    return loss, tuple(grads), aux


@pytest.mark.hint("The loss comes first. It is the mean over all elements, and a scalar.")
def test_the_loss_is_the_mean_square(submission, rng):
    """The first part is the mean of the squared differences, for vectors and matrices."""
    for shape in SHAPES:
        x, y = draw(rng, *shape)
        assert_close(parts(submission, x, y)[0], reference(x, y)[0])
    place = 1, 0, 2
    for x[place], y[place], loss in (np.inf, 0, np.inf), (0, np.nan, np.nan), (np.nan, 0, np.nan):
        assert_close(parts(submission, x, y)[0], np.float32(loss), nonfinite=True)
    x, y = nearly_equal(rng, 3, 4)
    assert_close(parts(submission, x, y)[0], reference(x, y)[0])


@pytest.mark.points(3)
@pytest.mark.hint("With respect to which arguments is the loss differentiated, and in which order?")
def test_there_is_a_gradient_for_each_argument(submission, rng):
    """The second part holds the gradient with respect to x and the one with respect to y.

    Where x or y is NaN, both gradients are, too.
    """
    for x, y in (nearly_equal(rng, 3, 4), *(draw(rng, *shape) for shape in SHAPES)):
        grads = parts(submission, x, y)[1]
        assert isinstance(grads, tuple | list), "the second part is not a pair"
        assert_close(tuple(grads), reference(x, y)[1])
    place = 1, 0, 2, 0, 0, 5
    # Elsewhere they may be NaN, too: a derivative in forward mode adds 0 times NaN.
    for x[place], y[place] in ((np.nan, 0), (0, np.nan)):
        found = [gradient[place] for gradient in parts(submission, x, y)[1]]
        assert_close(found, [np.float32(np.nan)] * 2, nonfinite=True)


@pytest.mark.hint("The differences aren't squared. They have a sign and a shape.")
def test_the_differences_come_along(submission, rng):
    """The third part is x - y, in the shape of x."""
    for shape in SHAPES:
        x, y = draw(rng, *shape)
        assert_close(parts(submission, x, y)[2], reference(x, y)[2])
    x[1, 0, 2] = y[2, 0, 1] = np.nan
    x[0, 0, 3] = y[0, 0, 4] = np.inf
    assert_close(parts(submission, x, y)[2], reference(x, y)[2], nonfinite=True)


@pytest.mark.hint(
    "There are three parts, and the second is a tuple. What does value_and_grad return?"
)
def test_the_parts_are_a_loss_a_pair_and_an_array(submission, rng):
    """The result is a tuple of a scalar, a tuple of two arrays, and an array, of any size."""
    for size in SIZES:
        x, y = draw(rng, 3, 4, size=size)
        assert_close(submission.loss_grads_aux(x, y), reference(x, y))


@pytest.mark.hint("A scalar has no length to divide by, but it has a size.")
def test_one_number_is_enough(submission, rng):
    """Arrays with a single element work, with two axes and with none."""
    for shape in [(1, 1), ()]:
        x, y = nearly_equal(rng, *shape)
        assert_close(with_pair(submission.loss_grads_aux(x, y)), reference(x, y))


@pytest.mark.hint("A square root has no slope at zero. Do you compute one on the way?")
def test_equal_arguments_have_gradient_zero(submission, rng):
    """Where x equals y the loss is 0, and so are both gradients, also from outside.

    If only some elements are equal, their gradients are 0.
    """
    x, y = draw(rng, 70, 4)
    assert_close(with_pair(submission.loss_grads_aux(x[:3], x[:3])), reference(x[:3], x[:3]))
    expected = reference(x, x)
    from_outside = submission.loss_grads_aux.used_by(loss_and_parts)
    outer, result = from_outside.grad(argnums=(0, 1), has_aux=True)(x, x)
    assert_close((outer, with_pair(result)), (expected[1], expected))
    y[0], y[:, 0] = x[0], x[:, 0]
    outer, result = from_outside.grad(argnums=(0, 1), has_aux=True)(x, y)
    first_rows = [gradient[0] for gradient in (*outer, *result[1])]
    assert_close(first_rows, [np.zeros(4, np.float32)] * 4)


@pytest.mark.points(2)
@pytest.mark.hint("Nothing may need a value while tracing, so don't use float() or item().")
def test_it_survives_jit_vmap_and_grad(submission, rng):
    """One program serves all numbers under `jit`; under `vmap` and `grad` each pair has its own."""
    jitted = submission.loss_grads_aux.jit()
    for _ in range(2):
        x, y = draw(rng, 70, 4)
        x[0, 0] = y[1, 0] = 0
        assert_close(with_pair(jitted(x, y)), reference(x, y))
    rows = [reference(*pair) for pair in zip(x, y, strict=True)]
    expected = jax.tree.map(lambda *parts: np.stack(parts), *rows)
    from_outside = submission.loss_grads_aux.used_by(loss_and_parts)
    outer, _ = from_outside.grad(argnums=(0, 1), has_aux=True)(x, y)
    assert_close(outer, tuple(3 * part for part in reference(x, y)[1]))
    both = from_outside.value_and_grad(argnums=(0, 1), has_aux=True).vmap()
    loss, grads = jax.tree.map(lambda part: 3 * part, expected[:2])
    (value, result), outer = both(x, y)
    assert_close(((value, with_pair(result)), outer), ((loss, expected), grads))

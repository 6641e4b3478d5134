"""loss_grads_aux(x, y): a loss, two gradients and the differences, each with its own test."""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case

SHAPES = [(3, 4), (5,), (4, 4), (2, 3, 4)]


def draw(rng, *shape):
    return tuple(rng.normal(size=shape).astype(np.float32) for _ in range(2))


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
    assert isinstance(result, tuple), "the result isn't a tuple"
    assert len(result) == 3, "the result doesn't have three parts"
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


@pytest.mark.points(3)
@pytest.mark.hint("With respect to which arguments is the loss differentiated, and in which order?")
def test_there_is_a_gradient_for_each_argument(submission, rng):
    """The second part contains the gradient with respect to x and the one with respect to y."""
    for shape in SHAPES:
        x, y = draw(rng, *shape)
        grads = parts(submission, x, y)[1]
        assert isinstance(grads, tuple | list), "the second part is not a pair"
        assert_close(tuple(grads), reference(x, y)[1])


@pytest.mark.hint("The differences aren't squared. They have a sign and a shape.")
def test_the_differences_come_along(submission, rng):
    """The third part is x - y, in the shape of x."""
    for shape in SHAPES:
        x, y = draw(rng, *shape)
        assert_close(parts(submission, x, y)[2], reference(x, y)[2])


@pytest.mark.hint(
    "There are three parts, and the second is a tuple. What does value_and_grad return?"
)
def test_the_parts_are_a_loss_a_pair_and_an_array(submission, rng):
    """The result is a tuple of a scalar, a tuple of two arrays, and an array."""
    x, y = draw(rng, 3, 4)
    loss, grads, aux = parts(submission, x, y)
    assert type(grads) is tuple, "the second part isn't a tuple"
    assert len(grads) == 2, "the second part doesn't have two gradients"
    shapes = [np.shape(part) for part in (loss, *grads, aux)]
    assert shapes == [(), (3, 4), (3, 4), (3, 4)], f"the shapes are {shapes}"
    assert np.any(loss), "the loss is 0"


@pytest.mark.points(2)
@pytest.mark.hint("Nothing may need a value while tracing, so don't use float() or item().")
def test_it_survives_jit_vmap_and_grad(submission, rng):
    """It works under `jit` and `vmap`, and the loss can be differentiated from outside."""
    x, y = draw(rng, 5, 4)
    assert_close(with_pair(submission.loss_grads_aux.jit()(x, y)), reference(x, y))
    rows = [reference(*pair) for pair in zip(x, y, strict=True)]
    expected = jax.tree.map(lambda *parts: np.stack(parts), *rows)
    assert_close(with_pair(submission.loss_grads_aux.vmap()(x, y)), expected)
    from_outside = submission.loss_grads_aux.used_by(loss_and_parts)
    outer, _ = from_outside.grad(argnums=(0, 1), has_aux=True)(x, y)
    assert_close(outer, tuple(3 * part for part in reference(x, y)[1]))


@pytest.mark.hint("A square root has no slope at zero. Do you compute one?")
def test_equal_arguments_have_gradient_zero(submission, rng):
    """Where x equals y, the loss is 0, and so are both gradients."""
    x, y = draw(rng, 3, 4)
    for other in (x, np.where(x > 0, x, y)):
        assert_close(with_pair(submission.loss_grads_aux(x, other)), reference(x, other))


def test_details(submission, rng):
    """It works for a single number, and where an argument has NaN."""
    with case(
        "for a single number", hint="A scalar has no length to divide by, but it has a size."
    ):
        x, y = draw(rng)
        assert_close(with_pair(submission.loss_grads_aux(x, y)), reference(x, y))
    for name in ("x", "y"):
        with case(f"where {name} has NaN", hint="Is a missing number left out, or replaced?"):
            x, y = draw(rng, 3, 4)
            (x if name == "x" else y)[1, 2] = np.nan
            loss, (gx, gy), aux = with_pair(submission.loss_grads_aux(x, y))
            # A derivative in forward mode may lose the other elements, too.
            found = loss, gx[1, 2], gy[1, 2], aux[1, 2]
            assert_close(found, (np.float32(np.nan),) * 4, nonfinite=True)

"""flatten_batch(x): one row per example, with every length known while tracing.

No arithmetic is done, so every comparison is exact.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def rows(x):
    """The examples one by one, or an empty table of the right width."""
    if len(x) == 0:
        return np.zeros((0, int(np.prod(x.shape[1:]))), x.dtype)
    return np.stack([example.ravel() for example in x])


def check(result, x):
    assert_close(result, rows(x), rtol=0, nonfinite=True)


def each_alone(flatten_batch, xs):
    return [flatten_batch(x) for x in xs]


@pytest.mark.hint("The first axis stays, and the last one runs fastest in each row.")
def test_each_example_becomes_a_row(submission, rng):
    """Row b holds the elements of example b in order, for examples of two to ten axes."""
    # Images have four axes, and videos five. They are arrays like all others.
    videos, longest = (1, 3, 2, 1, 3), (3, 1, 2) + (1,) * 6 + (3, 2)
    for shape in [(1100, 3, 2), (2, 4, 5, 3), videos, longest]:
        x = draw(rng, *shape)
        x.flat[-4:] = np.nan, np.inf, -np.inf, 1e-9
        check(submission.flatten_batch(x), x)


@pytest.mark.points(2)
@pytest.mark.hint("A matrix has rows already. What is an example that has no axes?")
def test_vectors_and_single_numbers_are_examples_too(submission, rng):
    """A matrix stays as it is, and B single numbers become B rows of one."""
    for shape in [(4, 3), (5,), (1,)]:
        x = draw(rng, *shape)
        check(submission.flatten_batch(x), x)


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("To find a length given as -1, JAX divides by the product of all the others.")
def test_an_empty_batch_keeps_its_width(submission, rng):
    """A batch of 0 gives no rows, and the length of a row is still right, under `jit` too.

    Rows may be empty as well.
    """
    x = draw(rng, 0, 2, 5, 3)
    check(submission.flatten_batch(x), x)
    xs = [draw(rng, *shape).astype(np.int32) for shape in [(0, 3, 2), (3, 0, 2)]]
    xs += [draw(rng, *shape) for shape in [(0, 5, 2), (0,), (0, 0, 3), (0, 4, 0)]]
    found = submission.flatten_batch.used_by(each_alone).jit()(xs)
    for result, x in zip(found, xs, strict=True):
        check(result, x)


def weighted(flatten_batch, xs, weights):
    """A sum whose gradients are the weights, and the rows."""
    found = each_alone(flatten_batch, xs)
    return sum((rows * w).sum() for rows, w in zip(found, weights, strict=True)), found


@pytest.mark.points(3)
@pytest.mark.hint(
    "A shape is a tuple of Python ints. Do you use a function that turns them into arrays?"
)
def test_it_survives_jit(submission, rng):
    """Under `jit` lengths are known and gradients right, for every shape and an empty batch."""
    shapes = (70, 3, 350, 1), (5,), (0, 3, 2)
    xs, weights = ([draw(rng, *shape) for shape in shapes] for _ in range(2))
    # An element that is 0 has a gradient like any other.
    for x in xs:
        x[:1] = 0
    both = submission.flatten_batch.used_by(weighted).value_and_grad(has_aux=True).jit()
    (_, found), slopes = both(xs, [rows(w) for w in weights])
    for result, x in zip(found, xs, strict=True):
        check(result, x)
    assert_close(slopes, weights, rtol=0)


@pytest.mark.hint("Do you create an array on the way, and of which dtype?")
def test_the_dtype_is_kept(submission, rng):
    """Integers, booleans, half precision and complex numbers are kept with every digit."""
    numbers = draw(rng, 4, 3, 2)
    integers = rng.integers(-(2**31), 2**31, size=numbers.shape).astype(np.int32)
    whole = (integers.astype(dtype) for dtype in (np.uint32, np.int8, np.uint16))
    half = numbers.astype(np.float16), numbers.astype(jnp.bfloat16)
    both = numbers + np.complex64(1j) * numbers[::-1]
    # A matrix and single numbers, too.
    for x in (integers, integers[:, 0], integers[:, 0, 0], *whole, numbers > 0, *half, both):
        check(submission.flatten_batch(x), x)

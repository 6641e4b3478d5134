"""flatten_batch(x): one row per example, with every length known while tracing.

No arithmetic is done, so every comparison is exact.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def check(result, x):
    """The rows have to be those of NumPy, which can multiply the lengths."""
    assert_close(result, x.reshape(len(x), int(np.prod(x.shape[1:]))), rtol=0)


@pytest.mark.hint("The first axis stays, and the last one varies fastest in each row.")
def test_each_example_becomes_a_row(submission, rng):
    """Row b contains the elements of example b in order, for examples of two to four axes."""
    for shape in ((4, 3, 2), (2, 4, 5, 3), (1, 3, 2), (3, 1, 2, 2, 2)):
        x = draw(rng, *shape)
        check(submission.flatten_batch(x), x)


@pytest.mark.points(2)
@pytest.mark.hint("A matrix already has rows. What is an example that has no axes?")
def test_vectors_and_single_numbers_are_examples_too(submission, rng):
    """A matrix stays as it is, and B single numbers become B rows of one."""
    for shape in ((4, 3), (5,), (1,)):
        x = draw(rng, *shape)
        check(submission.flatten_batch(x), x)


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("To compute a length given as -1, JAX divides by the product of all the others.")
def test_an_empty_batch_keeps_its_width(submission, rng):
    """A batch of 0 gives no rows, and the length of a row is still right, even under `jit`."""
    for shape in ((0, 2, 5, 3), (0, 5), (0,)):
        x = draw(rng, *shape)
        check(submission.flatten_batch(x), x)
    with case("under `jit`", hint="Which lengths are Python ints, and which are arrays?"):
        x = draw(rng, 0, 3, 2)
        check(submission.flatten_batch.jit()(x), x)


@pytest.mark.points(3)
@pytest.mark.hint(
    "A shape is a tuple of Python ints. Do you use a function that turns them into arrays?"
)
def test_it_survives_jit(submission, rng):
    """Under `jit`, every length is known, for every shape and for an empty batch."""
    jitted = submission.flatten_batch.jit()
    for shape in ((7, 3, 5, 1), (4, 3, 2), (4, 3)):
        x = draw(rng, *shape)
        check(jitted(x), x)
    with case("for an empty batch", hint="Does JAX have to divide by the number of rows?"):
        x = draw(rng, 0, 3, 2)
        check(jitted(x), x)


def test_details(submission, rng):
    """It works for other dtypes, and where another axis is empty."""
    numbers = draw(rng, 4, 3, 2)
    integers = rng.integers(-(2**31), 2**31, size=numbers.shape).astype(np.int32)
    hint = "Do you create an intermediate array, and what is its dtype?"
    with case("for integers", hint=hint):
        for x in (integers, integers[:0]):
            check(submission.flatten_batch(x), x)
    with case("for booleans", hint=hint):
        check(submission.flatten_batch(numbers > 0), numbers > 0)
    with case("in half precision", hint=hint):
        half = numbers.astype(jnp.bfloat16)
        check(submission.flatten_batch(half), half)
    with case("where another axis is empty", hint="How many elements does such an example have?"):
        for x in (draw(rng, 3, 0, 2), draw(rng, 0, 0, 3)):
            check(submission.flatten_batch(x), x)

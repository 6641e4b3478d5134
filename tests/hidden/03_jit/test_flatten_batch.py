"""flatten_batch(x): one row per example, with every length known while tracing.

No arithmetic is done, so every comparison is exact.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.judge import assert_close


def draw(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def rows(x):
    """The examples one by one, or an empty table of the right width."""
    if len(x) == 0:
        return np.zeros((0, int(np.prod(x.shape[1:]))), x.dtype)
    return np.stack([example.ravel() for example in x])


def check(result, x):
    assert_close(result, rows(x), rtol=0, nonfinite=True)


@pytest.mark.visible
@pytest.mark.hint("The first axis stays, and the last one runs fastest in each row.")
def test_each_example_becomes_a_row(submission, rng):
    """Row b holds the elements of example b in order, for examples of two axes and of three."""
    for shape in [(70, 3, 2), (4, 2, 2), (1, 2, 1, 5)]:
        x = draw(rng, *shape)
        x.flat[-1] = rng.choice([np.nan, np.inf, -np.inf])
        check(submission.flatten_batch(x), x)


@pytest.mark.hint("A matrix has rows already. What is an example that has no axes?")
def test_vectors_and_single_numbers_are_examples_too(submission, rng):
    """A matrix stays as it is, and B single numbers become B rows of one."""
    for shape in [(4, 3), (5,), (1,)]:
        x = draw(rng, *shape)
        check(submission.flatten_batch(x), x)


@pytest.mark.points(2)
@pytest.mark.hint("To find a length given as -1, JAX divides by the product of all the others.")
def test_an_empty_batch_keeps_its_width(submission, rng):
    """A batch of 0 gives no rows, and the length of a row is still right."""
    for shape in [(0, 3, 2), (0,)]:
        x = draw(rng, *shape)
        check(submission.flatten_batch(x), x)


@pytest.mark.points(2)
@pytest.mark.hint(
    "A shape is a tuple of Python ints. Do you use a function that turns them into arrays?"
)
def test_it_survives_jit(submission, rng):
    """Under `jit` the lengths are still known, for every shape and for an empty batch."""
    jitted = submission.flatten_batch.jit()
    for shape in [(4, 3, 2), (5,), (0, 3, 2)]:
        x = draw(rng, *shape)
        check(jitted(x), x)


@pytest.mark.hint("Do you create an array on the way, and of which dtype?")
def test_the_dtype_is_kept(submission, rng):
    """Integers, booleans and bfloat16 keep their dtype, and big integers keep every digit."""
    numbers = draw(rng, 4, 3, 2)
    integers = rng.integers(-(2**31), 2**31, size=numbers.shape).astype(np.int32)
    for x in (integers, numbers > 0, numbers.astype(jnp.bfloat16)):
        check(submission.flatten_batch(x), x)

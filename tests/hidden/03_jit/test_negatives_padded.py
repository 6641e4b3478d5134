"""negatives_padded(x, size): the negative elements, in a shape that doesn't depend on them.

No arithmetic is done, so every comparison is exact. Each input holds a zero, which is not negative.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, n, negatives, last=1):
    """n numbers, of which `negatives` are negative: a zero first, and last the sign of `last`."""
    x = rng.uniform(1, 9, size=n)
    inner = rng.choice(np.arange(1, n - 1), negatives - (last < 0), replace=False)
    x[inner] *= -1
    x[0], x[-1] = 0, last * x[-1]
    return x.astype(np.float32)


def picked(x, size):
    found = x[x < 0][:size]
    return np.concatenate([found, np.zeros(size - len(found), x.dtype)])


def check(result, x, size):
    assert_close(result, picked(x, size), rtol=0, nonfinite=True)


@pytest.mark.hint("Keep the order of x, close the gaps, and put the zeros at the end.")
def test_negatives_come_first_in_their_order(submission, rng):
    """The negative elements come first, in the order of the input, and zeros follow."""
    for negatives in (5, 3, 4):
        x = draw(rng, 8, negatives)
        check(submission.negatives_padded(x, 5), x, 5)


@pytest.mark.points(2)
@pytest.mark.hint(
    "Where no negative element is left, which element do you read? The last one isn't zero."
)
def test_the_padding_is_zero_whatever_stands_at_the_ends(submission, rng):
    """Zeros fill any remaining room, whether the element at either end is negative or not."""
    x = draw(rng, 8, 4, last=-1)
    with case("where the last element is negative"):
        check(submission.negatives_padded(x, 6), x, 6)
    with case("where the first element is negative"):
        check(submission.negatives_padded(np.roll(x, 1), 6), np.roll(x, 1), 6)
    with case("where no element is negative"):
        check(submission.negatives_padded(np.abs(x), 5), np.abs(x), 5)
    with case("where `size` is greater than n", hint="How long is the result?"):
        check(submission.negatives_padded(x, 20), x, 20)


@pytest.mark.hint("What happens to a negative element when there is no room for it?")
def test_what_does_not_fit_is_left_out(submission, rng):
    """If there are more than `size` negative elements, the first `size` are returned."""
    for negatives, size, last in ((6, 5, 1), (6, 5, -1), (4, 1, 1)):
        x = draw(rng, 8, negatives, last)
        check(submission.negatives_padded(x, size), x, size)


@pytest.mark.points(4)
@pytest.mark.hint("x[x < 0] has a length that depends on values. Ask for `size` positions.")
def test_it_survives_jit(submission, rng):
    """Under `jit` with static size, one program serves every input, however many are negative."""
    jitted = submission.negatives_padded.jit(static_argnums=1)
    for negatives in (4, 2, 6, 0):
        x = draw(rng, 8, negatives)
        check(jitted(x, 4), x, 4)


@pytest.mark.hint(
    "The number of negative elements differs from row to row. Does your code need it?"
)
def test_a_batch_can_be_searched(submission, rng):
    """Under `vmap`, each row is searched separately."""
    batch = np.stack([draw(rng, 7, negatives) for negatives in (5, 0, 2, 3)])
    expected = np.stack([picked(x, 3) for x in batch])
    assert_close(submission.negatives_padded.vmap(in_axes=(0, None))(batch, 3), expected, rtol=0)


def test_details(submission, rng):
    """It works for integers, in half precision, and where x has NaN and infinity."""
    hint = "Do you create an intermediate array, and what is its dtype?"
    with case("for integers", hint=hint):
        x = np.int32([0, *rng.permutation([-1, 3, -3, -(2**30) - 1]), 2])
        check(submission.negatives_padded(x, 5), x, 5)
    with case("in half precision", hint=hint):
        x = draw(rng, 8, 3).astype(jnp.bfloat16)
        check(submission.negatives_padded(x, 5), x, 5)
    with case("where x has NaN and infinity", hint="Which comparison is true for NaN?"):
        x = np.float32([np.nan, *rng.permutation([-1, -np.inf, -2]), np.inf])
        check(submission.negatives_padded(x, 4), x, 4)

"""negatives_padded(x, size): the negative elements, in a shape that doesn't depend on them.

No arithmetic is done, so every comparison is exact. Each input holds a zero, which is not negative.
"""

import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def draw(rng, n, negatives, last=1):
    """n numbers, of which `negatives` are negative: a zero first, and last the sign of `last`.

    Some are tiny, and some are huge.
    """
    x = 10 ** rng.uniform(-20, 20, size=n)
    x[0] = 0
    inner = rng.choice(np.arange(1, n - 1), negatives - (last < 0), replace=False)
    x[inner] *= -1
    x[-1] *= last
    where = np.flatnonzero(x < 0)
    # Never sorted: the smallest comes last.
    x[where] = np.roll(np.sort(x[where]), -1)
    return x.astype(np.float32)


def picked(x, size):
    found = x[x < 0][:size]
    return np.concatenate([found, np.zeros(size - len(found), x.dtype)])


def check(result, x, size):
    assert_close(result, picked(x, size), rtol=0, nonfinite=True)


@pytest.mark.hint("Keep the order of x, close the gaps, and put the zeros at the end.")
def test_negatives_come_first_in_their_order(submission, rng):
    """The negative elements come first, in the order of the input, and zeros follow.

    Minus infinity is negative. NaN, infinity and -0.0 are not.
    """
    for negatives in (3, 5):
        x = draw(rng, 8, negatives)
        check(submission.negatives_padded(x, 5), x, 5)
    first, _, *others = x[x < 0]
    x = np.float32([first, -0.0, np.nan, -np.inf, np.inf, *others])
    check(submission.negatives_padded(x, 5), x, 5)
    # More than a byte can count.
    x = draw(rng, 300, 280)
    check(submission.negatives_padded(x, 300), x, 300)


@pytest.mark.hint(
    "Where no negative element is left, which element do you read? It may be negative. "
    "And the length of the result is size, even if the input is shorter."
)
def test_the_padding_is_zero_whatever_stands_at_the_ends(submission, rng):
    """A negative element at either end appears once, and zeros fill whatever room there is."""
    x = draw(rng, 8, 4, last=-1)
    turned = np.roll(x, 1)
    assert turned[0] < 0
    # More than twice as long, so that adding as many zeros as there are elements isn't enough.
    for given, size in [(x, 5), (turned, 5), (turned[:1], 300)]:
        check(submission.negatives_padded(given, size), given, size)


@pytest.mark.hint("What happens to a negative element when there is no room for it?")
def test_what_does_not_fit_is_left_out(submission, rng):
    """If there are more than `size` negative elements, the first `size` come back."""
    for n, negatives, size in [(8, 6, 5), (8, 4, 1)]:
        for last in (1, -1):
            x = draw(rng, n, negatives, last)
            check(submission.negatives_padded(x, size), x, size)


@pytest.mark.hint("Zero and NaN are not negative, and the whole result may be padding.")
def test_nothing_negative_gives_zeros(submission, rng):
    """If no element is negative, the result is all zeros."""
    for x in (draw(rng, 8, 0), np.float32([np.nan, *np.zeros(7)])):
        check(submission.negatives_padded(x, 5), x, 5)


@pytest.mark.points(4)
@pytest.mark.hint("x[x < 0] has a length that depends on values. Ask for `size` positions.")
def test_it_survives_jit(submission, rng):
    """Under `jit` with static size, one program serves every input, however many are negative."""
    program = submission.negatives_padded.jit(static_argnums=1).program(draw(rng, 8, 2), 4)
    for negatives in (0, 2, 4, 6):
        x = draw(rng, 8, negatives)
        check(program(x, 4), x, 4)


@pytest.mark.hint(
    "The number of negative elements differs from row to row. Does your code need it?"
)
def test_a_batch_can_be_searched(submission, rng):
    """Under `vmap` each row is searched by itself."""
    batch = np.stack([draw(rng, 7, negatives) for negatives in (5, 0, 2, 3)])
    expected = np.stack([picked(x, 3) for x in batch])
    assert_close(submission.negatives_padded.vmap(in_axes=(0, None))(batch, 3), expected, rtol=0)


@pytest.mark.hint("Do you create an array on the way, and of which dtype?")
def test_the_dtype_is_kept(submission, rng):
    """Integers and bfloat16 keep their dtype, and big integers keep every digit."""
    some = np.array([0, *rng.permutation(np.arange(-3, 3)), -(2**30) - 1], np.int32)
    half = draw(rng, 8, 3).astype(jnp.bfloat16)
    # If these had a sign, the large ones would be negative.
    unsigned = some.astype(np.uint32)
    for x in (some, -np.abs(some), unsigned, half):
        check(submission.negatives_padded(x, 5), x, 5)
    byte = rng.integers(-128, 0, size=300).astype(np.int8)
    # Its negative doesn't fit into a byte.
    byte[1] = -128
    check(submission.negatives_padded(byte, 300), byte, 300)

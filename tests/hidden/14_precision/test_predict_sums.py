"""predict_sums(): twelve predictions, compared with values that are computed during the test.

The answer is a list of numbers, so no program is judged. A report names the case that is wrong, and
not the right value.
"""

import jax
import jax.numpy as jnp
import pytest

from grader.suite import case

LARGE = jnp.float32(1e8)
HALF = jnp.bfloat16
SEVEN = jnp.int32(-7)


def counted():
    count = HALF(0)
    for _ in range(300):
        count = count + HALF(1)
    return count


def difference():
    big = jnp.float32(3e38) * 10
    return big - big


CASES = {
    0: lambda: (LARGE + 1) - 1e8,
    1: lambda: (LARGE - 1e8) + 1,
    2: lambda: HALF(256) + HALF(1),
    3: counted,
    4: lambda: jnp.ones(300, HALF).sum(),
    5: difference,
    6: lambda: jnp.int8(100) + jnp.int8(100),
    7: lambda: jnp.full(3, 100, jnp.int8).sum(),
    8: lambda: jnp.uint8(3) - jnp.uint8(5),
    9: lambda: SEVEN // 2,
    10: lambda: jax.lax.div(SEVEN, jnp.int32(2)),
    11: lambda: SEVEN >> 1,
}

HINTS = {
    0: "Which float32 comes next after 1e8? Do the sum in the brackets first.",
    1: "Do the difference in the brackets first. What is left of the large number?",
    2: "Which bfloat16 comes next after 256?",
    3: "Each round rounds its sum. Is there a number from which on nothing changes?",
    4: "Is the sum of an array rounded after each of its elements? Look up its dtype.",
    5: "Which is the largest float32? What does `big` hold?",
    6: "Which numbers can an int8 hold?",
    7: "Which dtype has the sum of an array of int8? Print it.",
    8: "Which numbers can a uint8 hold?",
    9: "What does Python give for this division?",
    10: "Does this division round as that of Python? Look it up.",
    11: "A shift drops the last binary digit. Write the number down in binary, with its sign.",
}


def check(submission, *numbers):
    predicted = submission.predict_sums()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            value, yours = float(CASES[number]()), float(predicted[number])
            right = yours == value or str(yours) == str(value)
            assert right, "The value is another one than you predict."


@pytest.mark.words
@pytest.mark.hint("Return a list with one number or string per case, from case 0 to case 11.")
def test_there_is_a_value_for_each_case(submission):
    """The result is a list of twelve numbers, with "inf" and "nan" as strings."""
    predicted = submission.predict_sums()
    assert type(predicted) is list and len(predicted) == len(CASES), "It is no list of twelve."
    for value in predicted:
        fine = value in ("inf", "nan") if type(value) is str else type(value) in (int, float)
        assert fine, 'An entry is no Python number, and neither of the strings "inf" and "nan".'


@pytest.mark.words
@pytest.mark.points(2)
def test_the_order_of_a_sum(submission):
    """Cases 0 and 1: a large number is added and taken away, in two orders."""
    check(submission, 0, 1)


@pytest.mark.words
@pytest.mark.points(3)
def test_sums_of_half_precision(submission):
    """Cases 2 to 4: numbers of 16 bits are added one by one, or as an array."""
    check(submission, 2, 3, 4)


@pytest.mark.words
def test_a_number_that_is_too_large(submission):
    """Case 5: a float32 is too large."""
    check(submission, 5)


@pytest.mark.words
@pytest.mark.points(2)
def test_integers_start_again(submission):
    """Cases 6 to 8: a sum or a difference of small integers."""
    check(submission, 6, 7, 8)


@pytest.mark.words
def test_halves_of_a_negative_number(submission):
    """Cases 9 to 11: a negative integer is divided or shifted."""
    check(submission, 9, 10, 11)

"""weak_types(): sixteen predictions, compared with dtypes that are found out during the test.

The answer is a list of strings, so no program is judged. A report names the case that is wrong,
and not the right dtype.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import case

X = jnp.ones(3, jnp.bfloat16)
I = jnp.arange(3)  # noqa: E741
B = jnp.arange(3, dtype=jnp.int8)

CASES = {
    0: lambda: X * 2.0,
    1: lambda: I * 2.0,
    2: lambda: B + 1,
    3: lambda: B * 2.5,
    4: lambda: X * np.float32(2.0),
    5: lambda: X * np.sqrt(2.0),
    6: lambda: X * math.sqrt(2.0),
    7: lambda: X * jnp.asarray(2.0),
    8: lambda: X * jnp.ones(3),
    9: lambda: X + I,
    10: lambda: B + I,
    11: lambda: X + X.astype(jnp.float16),
    12: lambda: I / 2,
    13: lambda: jax.jit(lambda s: X * s)(2.0),
    14: lambda: jnp.where(I > 1, X, 0.0),
    15: lambda: jnp.where(I > 1, X, np.zeros(3)),
}


HINTS = {
    0: "Which of the two has a width of its own?",
    1: "Can an array of integers hold numbers of this kind?",
    2: "Which of the two has a width of its own?",
    3: "Can an array of integers hold numbers of this kind?",
    4: "A number of NumPy has a dtype. Which one?",
    5: "What is the type of `np.sqrt(2.0)`?",
    6: "What is the type of `math.sqrt(2.0)`?",
    7: "What does `weak_type` say about `jnp.asarray(2.0)`?",
    8: "Is `jnp.ones(3)` a number of Python? Which dtype does it have?",
    9: "An array of integers meets an array of floats. Do the bits of the integers count?",
    10: "Two dtypes of integers meet. Which of them can hold the numbers of both?",
    11: "Two floats of 16 bits meet. Can one of them hold all numbers of the other?",
    12: "Integers are divided. What is 1 / 2 in Python?",
    13: "What does `weak_type` say about `s` inside the function?",
    14: "Is 0.0 a number of Python, or an array? `where` has the rules of a product.",
    15: "Is `np.zeros(3)` a number of Python? Which dtype does JAX make of its dtype?",
}


def check(submission, *numbers):
    predicted = submission.weak_types()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            name = predicted[number]
            assert type(name) is str, f"Your entry is no string, but of type {type(name).__name__}"
            assert name == CASES[number]().dtype.name, (
                "The result has another dtype than you predict."
            )


@pytest.mark.words
@pytest.mark.hint("Return a list with one string per case, from case 0 to case 15.")
def test_there_is_a_name_for_each_case(submission):
    """The result is a list of sixteen names of dtypes."""
    predicted = submission.weak_types()
    assert type(predicted) is list and len(predicted) == len(CASES), "It is no list of sixteen."
    names = {"bool", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"}
    known = all(type(name) is str and name in names for name in predicted)
    assert known, "An entry of the list is no name of a dtype."


@pytest.mark.words
@pytest.mark.points(3)
def test_numbers_of_python_give_way(submission):
    """Cases 0 to 3: an array meets a number of Python."""
    check(submission, 0, 1, 2, 3)


@pytest.mark.words
@pytest.mark.points(2)
def test_numbers_of_numpy_do_not(submission):
    """Cases 4 to 6: an array meets a number of NumPy, or one that looks like it."""
    check(submission, 4, 5, 6)


@pytest.mark.words
@pytest.mark.points(2)
def test_an_array_may_be_weak(submission):
    """Cases 7 and 13: a number of Python has become an array, or a tracer."""
    check(submission, 7, 13)


@pytest.mark.words
def test_two_dtypes_have_a_common_one(submission):
    """Cases 8 to 12: arrays of two dtypes meet, or integers are divided."""
    check(submission, 8, 9, 10, 11, 12)


@pytest.mark.words
def test_where_has_the_same_rules(submission):
    """Cases 14 and 15: `jnp.where` joins two sides."""
    check(submission, 14, 15)

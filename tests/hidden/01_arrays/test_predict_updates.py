"""predict_updates(): twelve predictions, compared with arrays that are made during the test.

The answer is a list of lists, so no program is judged. A report names the case that is wrong, and
not the right numbers.
"""

import jax.numpy as jnp
import pytest

from grader.suite import case

X = jnp.array([10, 20, 30, 40])
I = jnp.array([1, 1, 1])  # noqa: E741


def thrown_away(x):
    x.at[1].set(5)
    return x


def renamed(x):
    y, x = x, x.at[1].set(5)
    return y


CASES = {
    0: lambda: X.at[1].set(5),
    1: lambda: thrown_away(X),
    2: lambda: renamed(X),
    3: lambda: X.at[I].add(1),
    4: lambda: X.at[I].set(X[I] + 1),
    5: lambda: X.at[jnp.array([0, 0, 3])].max(jnp.array([15, 12, 7])),
    6: lambda: X.at[jnp.array([0, 4])].set(5),
    7: lambda: X.at[-1].add(5),
    8: lambda: X.at[jnp.array([-5, 2])].add(1),
    9: lambda: X.at[jnp.array([0, 9])].set(5, mode="clip"),
    10: lambda: X[jnp.array([0, 9])],
    11: lambda: X[1:3].at[0].set(5),
}

HINTS = {
    0: "Which element is at index 1? The result contains all elements.",
    1: "Which name does the new array get?",
    2: "Which array does `y` name after the first line? Does that array change?",
    3: "How often does index 1 occur? Each occurrence adds something.",
    4: "What is `x[i] + 1`? Compute it before anything is written.",
    5: "Which numbers compete at index 0? Include the one that is already there.",
    6: "What is the last index of `x`? What happens to a write beyond it?",
    7: "Does -1 refer to an element of `x`?",
    8: "Count four steps from the end. Is there a fifth element?",
    9: "To which index does clipping move 9?",
    10: "A read must return something for each index. Look up what it returns.",
    11: "How many numbers does `x[1:3]` have? It is a separate array.",
}


def check(submission, *cases):
    predicted = submission.predict_updates()
    for number in cases:
        with case(f"in case {number}", hint=HINTS[number]):
            numbers = predicted[number]
            assert type(numbers) is list, (
                f"Your entry isn't a list, but a {type(numbers).__name__}."
            )
            assert numbers == CASES[number]().tolist(), (
                "The array contains other numbers than you predict."
            )


@pytest.mark.words
@pytest.mark.hint("Return a list with one list per case, from case 0 to case 11.")
def test_there_are_numbers_for_each_case(submission):
    """The result is a list of twelve lists of ints."""
    predicted = submission.predict_updates()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    assert all(type(numbers) is list for numbers in predicted), "An entry of the list isn't a list."
    ints = all(type(number) is int for numbers in predicted for number in numbers)
    assert ints, "An inner list contains something that isn't a Python int."


@pytest.mark.words
@pytest.mark.points(3)
def test_the_old_array_stays(submission):
    """Cases 0 to 2: one array is updated, and another one is inspected."""
    check(submission, 0, 1, 2)


@pytest.mark.words
@pytest.mark.points(2)
def test_an_index_occurs_again(submission):
    """Cases 3 to 5: one index occurs several times."""
    check(submission, 3, 4, 5)


@pytest.mark.words
@pytest.mark.points(2)
def test_a_write_out_of_range(submission):
    """Cases 6 to 8: an index may be too large or too small."""
    check(submission, 6, 7, 8)


@pytest.mark.words
def test_clipping_and_reading(submission):
    """Cases 9 and 10: a write with a mode, and a read."""
    check(submission, 9, 10)


@pytest.mark.words
def test_a_slice_is_no_view(submission):
    """Case 11: a slice is updated."""
    check(submission, 11)

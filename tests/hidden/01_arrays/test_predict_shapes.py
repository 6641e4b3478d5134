"""predict_shapes(): twelve predictions, compared with shapes that are found out during the test.

The answer is a list of tuples, so no program is judged. A report names the case that is wrong, and
not the right shape.
"""

import jax.numpy as jnp
import pytest

from grader.suite import case

X = jnp.ones((2, 3, 4))
V = jnp.ones(4)
I = jnp.array([0, 1, 1, 0, 1])  # noqa: E741

CASES = {
    0: lambda: X + V,
    1: lambda: V - V[:, None],
    2: lambda: X.sum(axis=1),
    3: lambda: X.mean(axis=(0, 2), keepdims=True),
    4: lambda: X[1],
    5: lambda: X[1:],
    6: lambda: X[:, None],
    7: lambda: X[..., 0],
    8: lambda: X[:, I],
    9: lambda: X[I, I],
    10: lambda: X[I[:, None], I],
    11: lambda: X[I, :, I],
}

HINTS = {
    0: "Compare the two shapes from their last axis. What does a missing axis stand for?",
    1: "What is the shape of `v[:, None]`? Which length does an axis of length 1 take?",
    2: "What happens to an axis that is summed over? Axes are counted from 0.",
    3: "What does `keepdims=True` leave of an axis?",
    4: "What does an int in an index do to its axis?",
    5: "How many elements does the slice leave? Does it also take the axis away?",
    6: "Where does `None` put the new axis?",
    7: "Which axes do the dots stand for?",
    8: "Which axis does the array index? Which shape replaces it?",
    9: "Are two arrays in an index read in pairs, or as a table?",
    10: "Broadcast the shapes of the two arrays in the index first.",
    11: "A slice separates the two arrays. Where does their common axis go?",
}


def check(submission, *numbers):
    predicted = submission.predict_shapes()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            shape = predicted[number]
            assert type(shape) is tuple, f"Your entry isn't a tuple, but a {type(shape).__name__}."
            assert shape == CASES[number]().shape, "The result has another shape than you predict."


@pytest.mark.words
@pytest.mark.hint("Return a list with one tuple per case, from case 0 to case 11.")
def test_there_is_a_shape_for_each_case(submission):
    """The result is a list of twelve tuples of ints."""
    predicted = submission.predict_shapes()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    assert all(type(shape) is tuple for shape in predicted), "An entry of the list isn't a tuple."
    ints = all(type(length) is int for shape in predicted for length in shape)
    assert ints, "A shape contains something that isn't a Python int."


@pytest.mark.words
@pytest.mark.points(2)
def test_two_shapes_are_broadcast(submission):
    """Cases 0 and 1: the operands differ in their number of axes."""
    check(submission, 0, 1)


@pytest.mark.words
@pytest.mark.points(2)
def test_a_reduction_takes_axes_away(submission):
    """Cases 2 and 3: axes are reduced, and kept or not."""
    check(submission, 2, 3)


@pytest.mark.words
def test_an_index_of_ints_and_slices(submission):
    """Cases 4 to 7: an index with an int, a slice, None or dots."""
    check(submission, 4, 5, 6, 7)


@pytest.mark.words
@pytest.mark.points(3)
def test_an_index_of_arrays(submission):
    """Cases 8 to 10: one or two arrays in an index."""
    check(submission, 8, 9, 10)


@pytest.mark.words
def test_a_slice_between_two_arrays(submission):
    """Case 11: a slice separates the two arrays of an index."""
    check(submission, 11)

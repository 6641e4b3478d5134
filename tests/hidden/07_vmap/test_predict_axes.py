"""predict_axes(): twelve predictions, compared with shapes that are found out during the test.

The answer is a list of tuples, so no program is judged. A report names the case that is wrong, and
not the right shape.
"""

import jax
import jax.numpy as jnp
import pytest

from grader.suite import case

X = jnp.ones((2, 3, 4))
PAIR = jnp.ones(2), jnp.ones(3)
MATRICES = jnp.ones((2, 3)), jnp.ones((3, 5))


def mapped(function, *args, **axes):
    return jax.vmap(function, **axes)(*args)


def pairs(inner, outer):
    return mapped(jax.vmap(jnp.multiply, in_axes=inner), *PAIR, in_axes=outer)


CASES = {
    0: lambda: mapped(jnp.sum, X),
    1: lambda: mapped(jnp.sum, X, in_axes=1),
    2: lambda: mapped(jnp.transpose, X),
    3: lambda: mapped(jnp.sin, X, in_axes=2),
    4: lambda: mapped(jnp.sin, X, out_axes=2),
    5: lambda: mapped(jnp.sin, X, in_axes=1, out_axes=1),
    6: lambda: mapped(jnp.multiply, *PAIR, in_axes=(None, 0)),
    7: lambda: mapped(jnp.dot, *MATRICES, in_axes=(None, 1)),
    8: lambda: mapped(jnp.dot, *MATRICES, in_axes=(None, 1), out_axes=1),
    9: lambda: pairs((None, 0), (0, None)),
    10: lambda: pairs((0, None), (None, 0)),
    11: lambda: mapped(jax.vmap(jnp.sum, in_axes=1), X, in_axes=1),
}

HINTS = {
    0: "Which shape does one call get, and what does it return?",
    1: "Which axis is removed? Axes are counted from 0.",
    2: "Which shape does one call get? Only that is transposed.",
    3: "One call gets two axes. Where is the third one inserted?",
    4: "One call gets two axes. Where is the third one inserted?",
    5: "One call gets two axes. Where is the third one inserted?",
    6: "Which argument is passed whole to each call? How many calls are there?",
    7: "What does one call get from `B`, and what does it return?",
    8: "The calls are those of case 7. Where does `out_axes` put them?",
    9: "Which argument does the outer `vmap` map over?",
    10: "Which argument does the outer `vmap` map over?",
    11: "What does the outer `vmap` leave? Count the axes in that.",
}


def check(submission, *numbers):
    predicted = submission.predict_axes()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            shape = predicted[number]
            assert type(shape) is tuple, f"Your entry isn't a tuple, but a {type(shape).__name__}."
            assert shape == CASES[number]().shape, "The result has another shape than you predict."


@pytest.mark.words
@pytest.mark.hint("Return a list with one tuple per case, from case 0 to case 11.")
def test_there_is_a_shape_for_each_case(submission):
    """The result is a list of twelve tuples of ints."""
    predicted = submission.predict_axes()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    assert all(type(shape) is tuple for shape in predicted), "An entry of the list isn't a tuple."
    ints = all(type(length) is int for shape in predicted for length in shape)
    assert ints, "A shape contains something that isn't a Python int."


@pytest.mark.words
@pytest.mark.points(2)
def test_one_call_sees_the_rest(submission):
    """Cases 0 to 2: a function that changes the number or the order of axes is mapped."""
    check(submission, 0, 1, 2)


@pytest.mark.words
@pytest.mark.points(2)
def test_the_new_axis_has_a_place(submission):
    """Cases 3 to 5: an axis is taken from one place and inserted in another."""
    check(submission, 3, 4, 5)


@pytest.mark.words
@pytest.mark.points(3)
def test_an_argument_is_shared(submission):
    """Cases 6 to 8: one argument is passed whole to each call."""
    check(submission, 6, 7, 8)


@pytest.mark.words
@pytest.mark.points(2)
def test_one_vmap_in_another(submission):
    """Cases 9 to 11: a mapped function is mapped again."""
    check(submission, 9, 10, 11)

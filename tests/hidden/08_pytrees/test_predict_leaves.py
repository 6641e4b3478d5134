"""predict_leaves(): twelve predictions, compared with what is found out during the test.

The answer is a list of numbers and bools, so no program is judged. A report names the case that is
wrong, and not the right answer.
"""

import collections
import dataclasses

import jax
import numpy as np
import pytest

from grader.suite import case

Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Plain:
    x: int
    y: int


@dataclasses.dataclass
class Layer:
    w: int
    b: int | None
    act: str


jax.tree_util.register_dataclass(Layer, data_fields=["w", "b"], meta_fields=["act"])

CASES = {
    0: ([1, None, (), (2, {})],),
    1: ({"a": np.ones((2, 3)), "b": [4, 5]},),
    2: (["relu", {1, 2}],),
    3: (Point(1, (2, 3)),),
    4: ([Plain(1, 2), Plain(3, 4)],),
    5: (Layer(w=1, b=None, act="relu"),),
    6: ([1, 2], (1, 2)),
    7: ({"a": 1, "b": 2}, {"b": 3, "a": 4}),
    8: (Point(1, 2), (1, 2)),
    9: (np.ones((2, 3)), 5),
    10: ([None], [0]),
    11: (Layer(w=1, b=2, act="relu"), Layer(w=1, b=2, act="tanh")),
}


HINTS = {
    0: "How many leaves does an empty container have? Is None a container?",
    1: "Is an array a container, or a leaf?",
    2: "Which of these does JAX take apart? Look up which containers it knows.",
    3: "Does JAX know the contents of a namedtuple?",
    4: "How could JAX know what is in an object of an unregistered class?",
    5: "Look at each of the three fields. What kind of field is it, and what is in it?",
    6: "Do the types of containers matter?",
    7: "In which order are the keys of a dict read?",
    8: "Is the type of a namedtuple the type of a tuple?",
    9: "How many leaves do both have? Do their shapes matter?",
    10: "Which of these two is a leaf?",
    11: "Which part of the tree contains the metadata?",
}


def check(submission, *numbers):
    predicted = submission.predict_leaves()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            trees = CASES[number]
            if len(trees) == 1:
                right = predicted[number] == len(jax.tree.leaves(trees[0]))
                assert right, "The tree has more leaves or fewer than you predict."
            else:
                first, second = map(jax.tree.structure, trees)
                assert predicted[number] == (first == second), "It differs from your prediction."


@pytest.mark.words
@pytest.mark.hint("Return a list of six ints, for cases 0 to 5, and six bools, for cases 6 to 11.")
def test_there_is_an_answer_for_each_case(submission):
    """The result is a list of six ints and six bools."""
    predicted = submission.predict_leaves()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    ints = all(type(answer) is int for answer in predicted[:6])
    assert ints, "One of the first six entries isn't a Python int."
    bools = all(type(answer) is bool for answer in predicted[6:])
    assert bools, "One of the last six entries isn't a Python bool."


@pytest.mark.words
@pytest.mark.points(2)
def test_containers_and_leaves(submission):
    """Cases 0 to 2: a tree contains None, empty containers, arrays, strings and sets."""
    check(submission, 0, 1, 2)


@pytest.mark.words
@pytest.mark.points(3)
def test_classes(submission):
    """Cases 3 to 5: a tree contains objects of three kinds of classes."""
    check(submission, 3, 4, 5)


@pytest.mark.words
@pytest.mark.points(2)
def test_types_of_containers(submission):
    """Cases 6 to 8: two trees differ in the type or the order of a container."""
    check(submission, 6, 7, 8)


@pytest.mark.words
@pytest.mark.points(2)
def test_what_a_structure_knows(submission):
    """Cases 9 to 11: two trees differ in leaves, in None or in metadata."""
    check(submission, 9, 10, 11)

"""A function is exported once for the same shapes, constants and transformations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from grader.course.course import Course
from grader.engine.judge.standalone import DirectSeat
from grader.engine.processes.faults import Raised
from grader.engine.suite.submission import SubmissionProxy
from grader.records.model import Source

TEXT = """
from typing import NamedTuple

class Pair(NamedTuple):
    one: object
    two: object

def scaled(x, by):
    return Pair(x * by, x)

def same(x):
    return x
"""
X = np.arange(3, dtype=np.float32)


class CountingSeat(DirectSeat):
    exports = 0

    def ask(self, kind: str, value: Any, on_callback: Callable[[Any], Any]) -> Any:
        self.exports += kind == "export"
        return super().ask(kind, value, on_callback)


@pytest.fixture
def seat(foreign: Course) -> CountingSeat:
    return CountingSeat(foreign.exercises[0], Source("01_first/double", "double.py", TEXT))


def test_other_values_of_the_same_shape_need_no_other_program(seat: CountingSeat) -> None:
    for value in (X, X + 1, -X):
        # Each test of a suite makes a proxy of its own.
        result = SubmissionProxy(seat).scaled.jit()(value, np.float32(2))
        np.testing.assert_array_equal(result.one, 2 * value)
    assert seat.exports == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f.jit()(X[:2], np.float32(2)),  # another shape
        lambda f: f.jit()(X.astype(np.int32), np.float32(2)),  # another dtype
        lambda f: f.jit()(X, 2.0),  # a constant
        lambda f: f.jit(inline=True)(X, np.float32(2)),  # another transformation
        lambda f: f.vmap(in_axes=(0, None))(X, np.float32(2)),
        lambda f: f.used_by(lambda g, x, by: g(x, by).one)(X, np.float32(2)),
        lambda f: f.jit()(X, by=np.float32(2)),  # by its name
    ],
)
def test_whatever_else_differs_makes_another_program(seat: CountingSeat, call: Any) -> None:
    SubmissionProxy(seat).scaled.jit()(X, np.float32(2))
    call(SubmissionProxy(seat).scaled)
    assert seat.exports == 2


def test_two_constants_are_two_programs(seat: CountingSeat) -> None:
    submission = SubmissionProxy(seat)
    for by in (2.0, 3.0, 2.0):
        np.testing.assert_array_equal(submission.scaled.jit()(X, by).one, by * X)
    assert seat.exports == 2


class Point(NamedTuple):
    x: object


@dataclasses.dataclass
class Model:
    weight: object


def test_each_test_may_send_another_class_first(seat: CountingSeat) -> None:
    """A suite's tests share a worker, and each has a proxy of its own."""
    for sent in (Point(X), Model(X), Point(X)):
        found = SubmissionProxy(seat).same(sent)
        assert type(found) is type(sent)
    assert type(SubmissionProxy(seat).same([Model(X), Point(X)])[1]) is Point


CHANGES = """
import functools

import jax

def emptied(tree):
    found = tree.pop("x")
    return 2 * found

def replaced(tree):
    tree["x"] = 2 * tree["x"]
    return tree["x"]

def right(tree):
    return 2 * tree["x"]

@functools.partial(jax.jit, donate_argnums=0)
def donated(tree):
    return 2 * tree["x"]
"""


@pytest.mark.parametrize("name", ["emptied", "replaced"])
def test_a_function_that_changes_its_input_gives_no_answer(foreign: Course, name: str) -> None:
    """Neither when it is called, nor when it is traced."""
    source = Source("01_first/double", "double.py", CHANGES)
    submission = SubmissionProxy(DirectSeat(foreign.exercises[0], source))
    np.testing.assert_array_equal(submission.right({"x": X}), 2 * X)
    np.testing.assert_array_equal(submission.right.program({"x": X})({"x": X}), 2 * X)
    changing = getattr(submission, name)
    for call in (changing, changing.program):
        with pytest.raises(Raised) as caught:
            call({"x": X})
        assert "changed a list or a dict that was passed to it" in caught.value.public
    # A program has nothing to donate, since its caller's arrays are elsewhere.
    with pytest.raises(Raised) as caught:
        submission.donated({"x": X})
    assert "donated an array" in caught.value.public

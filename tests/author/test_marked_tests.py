"""What the text of a suite says of its tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from grader.author import static
from grader.author.marked_tests import MarkedTest, marked_tests
from grader.course.course import Course

SUITE = """
import pytest
from grader.suite import assert_close, case


def check(x):
    assert x


def twice(x):
    check(x)


def draw(rng):
    return rng


class TestKinds:
    def test_in(self):
        pass


@pytest.mark.points(2)
def test_out(submission, rng):
    "Out."
    x = draw(rng)
    for _ in range(9):
        assert x
    twice(x)
    assert_close(x, x)
    assert x, "x is nothing"
    assert submission.double.program(x).size < 3
    with case("in half precision"):
        check(x)
        assert x
    submission.double.used_by(lambda f: check(f))


def test_crowded(submission):
    "Crowded."
    check(1), check(2), check(3), check(4)
"""


def test_points_and_checks_of_a_test(tmp_path: Path) -> None:
    """A check in a loop is one, and those of a case have words of their own."""
    suite = tmp_path / "test_double.py"
    suite.write_text(SUITE)
    assert list(marked_tests(suite)) == [
        MarkedTest("test_out", 2.0, 3),
        MarkedTest("test_crowded", 1.0, 4),
    ]


def test_many_checks_with_one_sentence_are_a_problem(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    where = "tests/hidden/01_first/test_double.py"
    course = make_course(tmp_path, {where: SUITE})
    problems = static.of_exercise(course, course["double"])
    crowded = [(p.where, p.what) for p in problems if "checks" in p.what]
    assert crowded == [(f"{where}::test_crowded", "has 4 checks that share one sentence")]

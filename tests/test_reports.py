"""What only the student's process says: the tests of the course that a lie changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader import Grader
from grader.author.verify import REPORTED
from grader.course import course as courses
from grader.course.course import Course
from grader.intake import cells
from grader.records.model import Basis, Exercise, ExerciseResult, Outcome
from tests.lying import lying

COURSE = courses.find(Path(__file__).resolve().parents[1])
# Without these, a suite asks for nothing that a process can lie about.
ASKS = ("reported(", "observed(", "reported_traces", "assert_no_key_reuse", ".donated", "used_by")


def asking() -> list[Exercise]:
    texts = {exercise: COURSE.suite(exercise).read_text() for exercise in COURSE.exercises}
    return [exercise for exercise, text in texts.items() if any(word in text for word in ASKS)]


def changed_by_lies(course: Course, exercise: Exercise) -> dict[str, tuple[Basis | None, float]]:
    """The tests that some wrong answer loses, and passes if it lies; their basis and points."""
    solution, changed = course.solution_text(exercise), {}
    wrong = {
        lying(cell.after(solution), solution): cell
        for cell in cells.read(course.wrong(exercise)).cells
    }
    with Grader(course, exercise.id, seed="1", races=False) as grader:
        for (text, _), result in grader.grade_many((text, exercise.id) for text in wrong):
            assert isinstance(result, ExerciseResult)
            for test in result.tests:
                if test.outcome is Outcome.PASSED and test.id in wrong[str(text)].fails:
                    changed[test.id] = test.basis, test.max_points
    return changed


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("exercise", asking(), ids=lambda exercise: exercise.stem)
def test_a_lie_changes_only_what_counts_as_a_report(exercise: Exercise) -> None:
    changed = changed_by_lies(COURSE, exercise)
    assert {name for name, (basis, _) in changed.items() if basis is not Basis.REPORT} == set()
    if exercise.counts:
        assert sum(points for _, points in changed.values()) <= REPORTED


SUITE = """
    import numpy as np

    X = np.ones(3, np.float32)

    def test_value(submission):
        "A program: nobody can lie about its values."
        assert submission.double.jit()(X)[0] == 2

    def test_kept(submission):
        "What waits for the backward pass."
        assert submission.double.kept(X)[1].bytes < 5

    def test_reported(submission):
        "A call that only the process sees."
        assert submission.double.reported()(X)[0] == 2

    def test_traces(submission):
        "How often it is traced."
        assert submission.double.reported_traces([(X,), (X,)]) == 1

    def test_found_out(submission):
        "What a function of the suite finds out, which no basis shows."
        assert submission.double.used_by(lambda f, x: f.__name__ == "double").program(X)(X)
"""
WRONG = """
import jax.numpy as jnp

def wrong(x):
    if not hasattr(wrong, "calls"):
        wrong.calls = 0
    wrong.calls += 1
    return jnp.sin(x) * 3

class Double:
    __name__ = "other"

    def __call__(self, x):
        return wrong(x)

double = Double()
"""


@pytest.mark.slow
def test_a_process_that_lies_is_believed_where_it_reports(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    """Else the test above could find nothing."""
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": SUITE})
    solution = course.solution_text(course.exercises[0])
    with Grader(course, seed="1") as grader:
        honest, liar = (
            {test.id: test.outcome for test in grader.grade(text, "01_first/double").tests}
            for text in (WRONG, lying(WRONG, solution))
        )
    passed = {name for name in honest if liar[name] is Outcome.PASSED}
    assert set(honest.values()) == {Outcome.FAILED, Outcome.PASSED}
    assert passed == {"test_reported", "test_traces", "test_found_out"}
    assert {name for name in honest if honest[name] is Outcome.PASSED} == {"test_traces"}

"""`grader reproduce` writes a script with the inputs that a student's program had."""

from __future__ import annotations

from pathlib import Path

from grader.records import inputs
from grader.records.model import (
    Environment,
    ExerciseResult,
    Grade,
    Outcome,
    Run,
    Source,
    TestResult,
)
from grader.teacher import reproduce
from tests.conftest import CourseMaker

EXERCISE = "01_first/double"


def test_a_second_draw_has_its_own_seed(make_course: CourseMaker, tmp_path: Path) -> None:
    source = Source(EXERCISE, "double.py", "x = 1\n")
    tests = tuple(
        TestResult(name, "A title.", Outcome.FAILED, 0, 1, detail=detail)
        for name, detail in (("test_a", "why"), ("test_b", f"{inputs.AGAIN}\nwhy"))
    )
    result = ExerciseResult(EXERCISE, Outcome.FAILED, 0, 2, tests)
    grade = Grade("ada", "d", 0, 2, (result,), sources=(source,))
    run = Run("physics", "0", Environment("0", "3", "p", (), "secret"), (grade,))
    course = make_course(tmp_path / "course")
    script = reproduce.write(run, course, "ada", course.exercises[0], tmp_path / "again")
    text = script.read_text()
    compile(text, "reproduce.py", "exec")
    first = inputs.seed("secret", source)
    second = inputs.second(first)
    assert text.index("::test_a") < text.index(first) < text.index("::test_b") < text.index(second)

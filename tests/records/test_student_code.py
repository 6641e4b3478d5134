"""A notebook is run cell by cell: what raises costs its own cell, and it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.api import Grader
from grader.course.course import Course
from grader.records import student_code
from grader.records.model import Outcome, Status
from grader.student.check import check

Maker = Callable[..., Course]


def text(*cells: str) -> str:
    return "".join(f"# cell {n}\n{cell}\n" for n, cell in enumerate(cells, 1))


def test_every_cell_runs_and_those_that_raise_are_told() -> None:
    names: dict[str, object] = {}
    source = text(
        "a = 1", "b = 2\nopen('nowhere.csv')\nc = 3", "import seaborn_is_missing", "d = a"
    )
    left_out = student_code.run(source, "mine.ipynb", names, ("a", "d"))
    assert left_out == [(2, "FileNotFoundError"), (3, "ModuleNotFoundError")]
    assert (names["a"], names["b"], names["d"]) == (1, 2, 1)
    assert "c" not in names


def test_a_cell_that_ends_the_program_ends_alone() -> None:
    names: dict[str, object] = {}
    assert student_code.run(text("import sys\nsys.exit(3)", "a = 1"), "m", names, ("a",)) == [
        (1, "SystemExit")
    ]


def test_what_is_needed_and_not_there_raises_as_before() -> None:
    with pytest.raises(ZeroDivisionError):
        student_code.run(text("1 / 0", "a = 1"), "m.ipynb", {}, ("f",))
    assert student_code.run(text("a = 1"), "m.ipynb", {}, ("f",)) == []


def test_an_endless_cell_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds, limited = iter((0.3, 600.0)), student_code._limited
    monkeypatch.setattr(student_code, "_limited", lambda _: limited(next(seconds)))
    names: dict[str, object] = {}
    assert student_code.run(text("while True:\n    pass", "a = 1"), "m", names, ("a",)) == [
        (1, "TimeoutError")
    ]
    assert names["a"] == 1


def test_imports_from_the_future_hold_in_every_cell() -> None:
    names: dict[str, object] = {}
    source = "from __future__ import annotations  " + text("x = 1", "def f(y: not_there): pass")
    assert student_code.run(source, "m.ipynb", names, ("f",)) == []


def test_a_line_in_a_text_is_no_head() -> None:
    names: dict[str, object] = {}
    assert student_code.run(text('a = """\n# cell 9\n"""', "1 / 0"), "m.ipynb", names, ("a",)) == [
        (2, "ZeroDivisionError")
    ]


def notebook(place: Path, *cells: str) -> Path:
    made = [{"cell_type": "code", "source": cell, "metadata": {}} for cell in cells]
    book = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    place.write_text(json.dumps(book))
    return place


DEFINED = "def double(x):\n    return 2 * x"
DEMOS = ("open('measurements.csv')", "name = input('Your name? ')", "assert double(1) == 3")


@pytest.mark.slow
def test_a_demo_that_raises_costs_no_points(foreign: Course, tmp_path: Path) -> None:
    with Grader(foreign, isolation="none", jobs=1) as grader:
        graded = grader.grade(notebook(tmp_path / "a.ipynb", DEMOS[0], DEFINED, *DEMOS[1:]))
        alone = grader.grade(notebook(tmp_path / "b.ipynb", DEFINED))
    (result,) = graded.exercises
    assert graded.score == alone.score == graded.max_score
    assert result.outcome is Outcome.PASSED
    assert result.findings == ()  # it would explain a loss, and there is none


@pytest.mark.slow
def test_a_left_out_cell_is_told_beside_lost_points(foreign: Course, tmp_path: Path) -> None:
    """The solution is proved after a loss, and leaves no cell out."""
    wrong = DEFINED.replace("2 * x", "3 * x")
    with Grader(foreign, isolation="none", jobs=1) as grader:
        graded = grader.grade(notebook(tmp_path / "a.ipynb", DEMOS[0], wrong))
    (result,) = graded.exercises
    assert result.outcome is Outcome.FAILED
    assert "Code cell 1 raises FileNotFoundError" in result.findings[0].sentence


def test_a_cell_that_has_to_define_it_costs_them(foreign: Course, tmp_path: Path) -> None:
    with Grader(foreign, isolation="none", jobs=1) as grader:
        graded = grader.grade(notebook(tmp_path / "a.ipynb", f"1 / 0\n{DEFINED}"))
    (result,) = graded.exercises
    assert graded.score == 0
    assert "ZeroDivisionError" in result.tests[0].message


def test_a_students_own_check_runs_cell_by_cell_too(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path)
    stub = course.stub(course["double"])
    code = stub.read_text().replace("raise NotImplementedError", "return x + x")
    notebook(course.stubs / "01_first.ipynb", DEMOS[0], code, DEMOS[2])
    stub.unlink()
    (found,) = check(course, [course["double"]])
    assert found.status is Status.PASSED

"""What an author reads of a proof."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from grader.course.course import Course
from grader.output.screens import course as screen
from grader.records.model import Basis


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("", "3 of 10 points rest on what a student's process reports: 01_first/double 3."),
        ("counts = false\n", "For practice, not in any mark: 01_first/double."),
    ],
)
def test_points_on_reports_are_printed_if_they_count(
    key: str, said: str, make_course: Callable[..., Course], tmp_path: Path
) -> None:
    course = make_course(tmp_path, catalog=key)
    points = {"01_first/double": {Basis.REPORT: 3.0, Basis.PROGRAM: 7.0, Basis.CALL: 0.0}}
    console = Console(file=io.StringIO(), width=100)
    screen.basis(points, course, console)
    assert console.file.getvalue() == f"{said}\n"  # type: ignore[attr-defined]

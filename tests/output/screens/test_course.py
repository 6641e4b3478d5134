"""What an author reads of a proof."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from grader.course.course import Course
from grader.output.screens import course as screen
from grader.records.model import Basis


def test_points_on_reports_are_printed_with_their_reason(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    course = make_course(tmp_path, catalog='reports = "A text is no program."\n')
    points = {"01_first/double": {Basis.REPORT: 3.0, Basis.PROGRAM: 7.0, Basis.CALL: 0.0}}
    console = Console(file=io.StringIO(), width=100)
    screen.basis(points, course, console)
    assert console.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "3 of 10 points rest on what a student's process reports: 01_first/double 3.",
        "  01_first/double: A text is no program.",
    ]

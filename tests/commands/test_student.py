"""The commands of students: output and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.course import Course
from tests.commands.conftest import DOUBLE, grader, said


def test_a_student_checks_and_is_told_what_is_wrong(
    taught: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grader("handout", tmp_path / "out", "--course", taught.root).exit_code == 0
    monkeypatch.chdir(tmp_path / "out")
    stub = Path("01_first/double.py")
    stub.write_text(stub.read_text().replace("raise NotImplementedError", "return 2 * x"))
    result = grader("check")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "passed       01_first/double  (1 example)",
        "",
        "1 passed, 1 not started",
        "Passed means the examples are right. Hidden tests check the whole docstring.",
    ]
    result = grader("check", "double")
    assert result.exit_code == 0
    assert "Hidden tests check the whole docstring." in result.output


@pytest.mark.parametrize("command", ["check", "explain", "hint", "list", "show", "watch"])
def test_a_file_outside_of_the_course_is_not_taken_for_its_stub(
    command: str, foreign: Course, tmp_path: Path
) -> None:
    """The stub of that name would be read in its place."""
    (tmp_path / "double.py").write_text(DOUBLE)
    assert said(grader(command, tmp_path / "double.py", "--course", foreign.root), 2) == (
        f"`{tmp_path}/double.py` is not a file of the course in `{foreign.stubs}`, and only that "
        "course's own files are read. Go to the folder where you ran `grader start`, without "
        "`--course`, or copy your file over the stub there."
    )

"""The commands of authors: output, files and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.course import Course, find, shell_path
from tests.commands.conftest import Maker, grader, said


def test_an_author_starts_a_course_adds_an_exercise_and_hands_it_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = tmp_path / "my_course"
    result = grader("new", "--course", course)
    assert result.exit_code == 0, result.output
    assert all(Path(line).is_file() for line in result.stdout.splitlines())
    assert f"`grader verify double --course {shell_path(course)}`" in result.stderr
    monkeypatch.chdir(course)
    result = grader("new", "02_more/triple", "--numpy")
    assert "`grader verify triple --course .`" in result.stderr
    assert find()["triple"].numpy
    assert [e.id for e in find().exercises] == ["01_first/double", "02_more/triple"]
    assert "still say `AUTHOR:`" in said(grader("handout", "../out"), 3)
    for path in course.rglob("exercises/*/*"):
        path.write_text(path.read_text().replace("AUTHOR:", ""))
    result = grader("handout", "../out")
    assert result.output == "6 files in `../out`; not one line of a suite or a solution.\n"
    assert find(tmp_path / "out").root is None


def test_nothing_is_written_twice(foreign: Course, tmp_path: Path) -> None:
    assert said(grader("new", "--course", foreign.root), 2) == (
        f"`{foreign.root}` is not empty. Name a new folder to start a course in, or name an "
        "exercise, `TOPIC/NAME`, to add one to the course that is there."
    )
    assert said(grader("new", "02_more/double", "--course", foreign.root), 2) == (
        "the course `foreign` has `01_first/double` already, and two exercises can't share a file "
        "name. Choose another name."
    )
    (tmp_path / "mine.txt").write_text("")
    assert said(grader("handout", tmp_path, "--course", foreign.root), 2) == (
        f"`{tmp_path}` is not empty, and a handout overwrites nothing. Name a new folder, or "
        "remove that one first."
    )


def test_new_asks_what_it_shall_write(tmp_path: Path) -> None:
    result = grader("new")
    assert result.exit_code == 2
    assert "name an exercise as TOPIC/NAME, or a new course with --course" in result.output


@pytest.mark.slow
def test_a_course_is_proved(foreign: Course) -> None:
    result = grader("verify", "--again", "--course", foreign.root)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 exercise, 9 answers judged in ")
    assert result.stdout.endswith(" s: no problem\n")
    named, *steps = result.stderr.splitlines()
    assert named == f"course    foreign, 1 exercise, from {foreign.root}"
    assert steps[:1] == ["examples exercises/01_first/double.py"]


def test_problems_of_a_course_are_an_exit_code(make_course: Maker, tmp_path: Path) -> None:
    make_course(tmp_path, {"solutions/01_first/double.py": None})
    (tmp_path / "solutions").mkdir(exist_ok=True)
    result = grader("verify", "--course", tmp_path)
    assert result.exit_code == 1
    said, _, told = result.stdout.partition(" judged in ")
    assert said == (
        "solutions/01_first/double.py\n"
        "    is missing\n"
        "    The exercise `01_first/double` needs it: write or fix it.\n"
        "1 exercise, 0 answers"
    )
    assert told.endswith(" s: 1 problem\n")

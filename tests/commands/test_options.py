"""Which course a command takes, and which exercises of it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from grader.commands import options
from grader.course.course import Course
from tests.commands.conftest import DOUBLE, TRIPLE, Maker, grader, said
from tests.conftest import write

# The teacher


def test_an_unknown_exercise_is_an_error(taught: Course, room: Path) -> None:
    for command in (("grade", room / "ada", "--exercise"), ("check",), ("verify",)):
        assert said(grader(*command, "doubel", "--course", taught.root), 2) == (
            "no exercise or topic `doubel` in the course `foreign`. Did you mean `double`? "
            "`grader list` shows all."
        )


def test_a_folder_without_an_exercise_may_be_a_class(
    taught: Course, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "homework", {"ada/notes.txt": "x", "ben/notes.txt": "x"})
    write(tmp_path / "others", {"kim/double.py": DOUBLE})
    for paths, classes, is_told in (
        (["homework"], [], True),
        ([], ["homework"], True),
        (["others/kim"], [], False),
    ):
        named, of_classes = ([tmp_path / name for name in own] for own in (paths, classes))
        options.handed_in(named, of_classes, taught, None)
        note = capsys.readouterr().err
        assert ("name it with `--class`; if the class is one folder deeper" in note) is is_told


# Which course judges

SPY = """
    from pathlib import Path

    Path(__file__).parents[3].joinpath("ran").touch()


    def test_nothing(submission):
        pass
"""


@pytest.fixture
def eve(make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a wrong answer, beside a course whose suite passes it."""
    folder = tmp_path / "class" / "eve"
    make_course(folder, {"tests/hidden/01_first/test_double.py": SPY})
    write(folder, {"double.py": TRIPLE, "../ben/double.py": DOUBLE})
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        "grade double.py",
        "grade ../ben/double.py",
        "grade --class .",
        "grade --class ..",
        "verify",
        "mutate",
        "sabotage",
        "race double --against double.py",
        "demo",
        "gradescope ../autograder.zip",
    ],
)
def test_no_suite_that_a_student_handed_in_is_used(arguments: str, eve: Path) -> None:
    problem = said(grader(*arguments.split()), 2)
    assert problem.startswith(f"`{eve}` contains a course that isn't the installed one. ")
    assert "`--course .`" in problem
    assert not (eve / "ran").exists()


@pytest.mark.slow
def test_a_course_in_the_class_is_not_a_judge_either(
    eve: Path, foreign: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.course.course.installed", lambda: foreign)
    monkeypatch.chdir(tmp_path)
    arguments = ("--class", "class", "--isolation", "none", "--report", "json")
    done = grader("grade", *arguments)
    marks = {s["id"]: s["score"] for s in json.loads(done.stdout)["submissions"]}
    # Her folder also holds a right answer: the solution of her own course.
    assert marks == {"ben": 4, "eve": 4}
    assert f"course    foreign, 1 exercise, from {foreign.root}\n" in done.stderr
    assert not (eve / "ran").exists()


@pytest.mark.slow
def test_who_names_a_course_gets_it(eve: Path) -> None:
    done = grader("grade", "double.py", "--course", ".", "--isolation", "none")
    assert done.stderr.startswith(f"course    foreign, 1 exercise, from {eve}\n")
    assert (eve / "ran").exists()


# The author


def test_a_course_with_a_bad_catalogue_is_no_course(tmp_path: Path) -> None:
    (tmp_path / "catalog.toml").write_text("schema = 7\n[[exercise]]\nid = 'x'\n")
    for command in (
        ("check",),
        ("verify",),
        ("demo",),
        ("doctor",),
        ("grade", "."),
        ("new", "a/b"),
    ):
        assert said(grader(*command, "--course", tmp_path), 3) == (
            f"`{tmp_path}/catalog.toml` is not a valid catalogue; fix all of this:\n"
            "  `schema` is 7; this grader reads 1\n"
            "  exercise id 'x' is not of the form `topic/stem`"
        )


@pytest.mark.parametrize("is_terminal", [False, True])
def test_elsewhere_than_in_a_terminal_a_step_is_shown_once_in_a_minute(is_terminal: bool) -> None:
    """So the log of a proof that takes an hour says how far it is, and stays short."""
    times, file = [0, 1, 59, 60, 61, 200], io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, color_system=None)
    steps = options.Steps(console, iter(map(float, times)).__next__)
    for time in times:
        steps(f"step at {time}")
    shown = [int(row.split()[-1]) for row in file.getvalue().splitlines()]
    assert shown == (times if is_terminal else [0, 60, 200])

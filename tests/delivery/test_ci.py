"""CI in a repository of a student's work: what changed, what is checked, what is reported."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.course.course import Course
from grader.delivery import autograder, ci
from grader.output.reports import github
from grader.records import scoring
from grader.records.model import LAYERS, Environment, ExerciseResult, Outcome, Run, Submission
from tests.conftest import write
from tests.delivery.conftest import ROOT, a_repository

pytestmark = pytest.mark.usefixtures("nowhere")
Maker = Callable[..., Course]
SECOND = '\n[[exercise]]\nid = "02_more/negate"\ntitle = "Negate"\n'
SECOND_FILES = {
    "exercises/02_more/negate.py": '''
        """The other sign."""


        def negate(x):
            """Return `-x`.

            >>> negate(3)
            -3
            """
            raise NotImplementedError
    ''',
    "solutions/02_more/negate.py": "def negate(x):\n    return -x\n",
    "tests/hidden/02_more/test_negate.py": '''
        def test_sign(submission):
            """The sign changes."""
            assert submission.negate(2) == -2
    ''',
}
DOUBLE = '"""Twice."""\n\n\ndef double(x):\n    """\n    >>> double(3)\n    6\n    """\n'
RIGHT = f"{DOUBLE}    return 2 * x\n"
WRONG = f"{DOUBLE}    return 3 * x\n"
# It prints commands for the runner, and its exception contains some.
HOSTILE = f"""{DOUBLE}    print("::error file=a.py,line=1::owned", flush=True)
    raise ValueError("\\n::error::owned\\r::add-mask::6 ##[add-mask]6")
"""


def test_the_grader_runs_no_git() -> None:
    """A submitted repository can name programs that git starts."""
    starts = re.compile(r"""["']git["'],|["'](?:\S*/)?git [a-z]|which\(["']git""")
    modules = (ROOT / "grader").rglob("*.py")
    assert not [path for path in modules if starts.search(path.read_text(encoding="utf-8"))]


# What is checked or graded


def a_course(make_course: Maker, folder: Path) -> Course:
    return make_course(folder, SECOND_FILES, SECOND)


def a_handout(make_course: Maker, folder: Path) -> Path:
    """A student's repository as the teacher hands it out."""
    course = a_course(make_course, folder.parent / "course")
    shutil.copytree(course.stubs, folder)
    return folder


def test_work_is_graded_where_it_was_started(make_course: Maker, tmp_path: Path) -> None:
    course = a_course(make_course, tmp_path / "course")
    top = tmp_path / "r"
    write(top, {"double.py": RIGHT, "hw/negate.py": "def negate(x): return -x"})

    def chosen() -> list[str]:
        return [e.stem for e in ci.to_grade(course, top)[1]]

    assert chosen() == ["double", "negate"]
    write(top, {"hw/negate.py": course.stub(course["negate"]).read_text()})
    assert chosen() == ["double"]


# What failed, and what is reported


def said(report: ci.CIReport) -> str:
    """Everything that GitHub gets, except for the log that people read."""
    annotations = github.commands(report.annotations)
    return f"{annotations}{report.summary}{report.outputs}"


@pytest.mark.parametrize(("text", "failed"), [(RIGHT, False), (WRONG, True)])
def test_a_check_fails_if_an_example_does(
    make_course: Maker, tmp_path: Path, text: str, failed: bool
) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"01_first/double.py": text})
    seen = []
    report = ci.check(top, lambda results, _: seen.extend(results))
    assert (report.failed, report.error) == (failed, None)
    assert report.outputs == {"passed": str(not failed).lower()}
    assert [a.path for a in report.annotations] == ["01_first/double.py"] * failed
    assert [result.exercise for result in seen] == ["01_first/double", "02_more/negate"]


def test_a_mark_that_can_not_be_known_is_an_error_and_names_no_secret(
    make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = make_course(tmp_path / "course")
    top = a_repository(tmp_path / "r", {"double.py": RIGHT})

    def broken(*_: object, **__: object) -> Run:
        lost = ExerciseResult("01_first/double", Outcome.BROKEN, None, 4.0, message="SECRET")
        graded = scoring.grade(Submission("r", "d"), [lost])
        return Run("c", "0", Environment("1", "2", "3", LAYERS, "7"), (graded,))

    monkeypatch.setattr(autograder, "grade", broken)
    report = ci.grade(course, top, (), isolation="required", seed=None)
    assert report.failed
    assert report.outputs == {"passed": "unknown", "score": "unknown", "max_score": "4"}
    assert report.error is not None
    assert report.error.exit_code == 4
    assert "SECRET" not in said(report)
    # The log of the course's own run is for the teacher.
    assert "SECRET" in report.log()


@pytest.mark.parametrize(
    ("files", "passed", "failed"),
    [
        ({}, "false", True),
        ({"notes.txt": "x"}, "false", True),
        ({"double.py": None}, "false", True),  # the untouched stub
        ({"double.py": b"# caf\xe9\ndef double(x): return 2 * x\n"}, "false", True),
        ({"double.ipynb": b"{"}, "false", True),
    ],
)
def test_what_is_not_there_or_not_readable_does_not_pass(
    make_course: Maker,
    tmp_path: Path,
    files: dict[str, bytes | str | None],
    passed: str,
    failed: bool,
) -> None:
    course = make_course(tmp_path / "course")
    top = tmp_path / "work"
    top.mkdir()
    for name, data in files.items():
        text = course.stub(course["double"]).read_text() if data is None else data
        (top / name).write_bytes(text.encode() if isinstance(text, str) else text)
    report = ci.grade(course, top, (), isolation="required", seed=None)
    assert (report.outputs["passed"], report.failed) == (passed, failed)
    assert report.summary
    assert report.log()


def test_what_is_named_is_asked_for(make_course: Maker, tmp_path: Path) -> None:
    """Missing or a stub: who names an exercise wants its result."""
    course = make_course(tmp_path / "course")
    top = tmp_path / "r"
    write(top, {"double.py": RIGHT})
    for text in (RIGHT, course.stub(course["double"]).read_text(), None):
        (top / "double.py").unlink(missing_ok=True)
        if text is not None:
            (top / "double.py").write_text(text)
        assert [e.stem for e in ci.to_grade(course, top, ["double"])[1]] == ["double"]


# The command


def grader_ci(*arguments: object, env: Mapping[str, str] | None = None) -> Result:
    given = {"COLUMNS": "200", **(env or {})}
    return CliRunner().invoke(main, ["ci", *map(str, arguments)], env=given, catch_exceptions=False)


def in_actions(folder: Path, top: Path) -> dict[str, str]:
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(top),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_OUTPUT": str(folder / "output"),
    }


def obeyed(output: str) -> list[str]:
    """The lines that the runner executes as commands; it ignores those in a guard."""
    lines, token = [], None
    for line in re.split("\r\n|\r|\n", output):
        if token is not None:
            token = None if line == f"::{token}::" else token
        elif line.startswith("::stop-commands::"):
            token = line.removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::") or "##[" in line:
            lines.append(line)
    return lines


def test_a_mistake_is_shown_on_its_line_and_fails(make_course: Maker, tmp_path: Path) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"01_first/double.py": HOSTILE})
    done = grader_ci(top, env=in_actions(tmp_path, top))
    assert done.exit_code == 1, done.output
    (line,) = obeyed(done.output)
    assert line.startswith("::error file=01_first/double.py,line=10,title=01_first/double::Line 10")
    assert (tmp_path / "output").read_text().split("\n")[1] == "false"
    assert "1 to fix" in (tmp_path / "summary").read_text()


def test_elsewhere_it_is_plain_text_and_what_is_right_passes(
    make_course: Maker, tmp_path: Path
) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"01_first/double.py": RIGHT})
    done = grader_ci(top)
    assert done.exit_code == 0, done.output
    assert obeyed(done.output) == []
    assert "1 passed, 1 not started" in done.output


def test_the_runner_gets_errors_too(tmp_path: Path) -> None:
    done = grader_ci(tmp_path / "::error::owned", env=in_actions(tmp_path, tmp_path))
    (line,) = obeyed(done.output)
    assert done.exit_code == 2
    assert line.startswith("::error title=The grader could not do its work::there is no folder")
    plain = grader_ci(tmp_path / "nothing")
    assert (plain.exit_code, plain.output) == (
        2,
        f"Error: there is no folder `{tmp_path}/nothing`. Name the folder that contains the "
        "work.\n",
    )


def test_a_course_inside_the_work_is_never_asked_to_judge(
    make_course: Maker, tmp_path: Path
) -> None:
    """Its suites would be the student's, and would run where the course's secrets are."""
    course = a_course(make_course, tmp_path / "r")
    assert course.root is not None
    trap = course.suite(course["double"])
    trap.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    write(course.root, {"exercises/01_first/double.py": RIGHT})
    done = grader_ci(course.root)
    assert done.exit_code == 0, done.output
    assert "All examples hold" in done.output or "not started" in done.output
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("text", "code"), [(RIGHT, 0), (WRONG, 1)], ids=["right", "wrong"])
def test_the_courses_own_run_grades_with_the_hidden_suites(
    make_course: Maker, tmp_path: Path, text: str, code: int
) -> None:
    course = make_course(tmp_path / "course")
    top = a_repository(tmp_path / "course" / "work", {"hw/double.py": text, "other.txt": "x"})
    assert course.root is not None
    env = in_actions(tmp_path, course.root)
    done = grader_ci(top, "--course", course.root, env=env)
    assert done.exit_code == code, done.output
    lines = obeyed(done.output)
    assert [line.split("::")[1] for line in lines] == [
        f"error file=hw/double.py,title=01_first/double (-{cost})" for cost in (2, 1, 1) if code
    ]
    score, most = ("0", "4") if code else ("4", "4")
    values = [
        line for line in (tmp_path / "output").read_text().split("\n") if "grader-" not in line
    ]
    assert values == ["false" if code else "true", score, most, ""]
    assert f"{score} of {most}" in (tmp_path / "summary").read_text()

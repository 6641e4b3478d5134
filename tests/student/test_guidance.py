"""What a student reads after success: in a terminal, in watch, on a page, and nowhere before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader import cli
from grader.author.handout import write_handout
from grader.course.course import Course, find, load
from grader.delivery import formats
from grader.output.reports import html
from grader.records import scoring
from grader.records.errors import CourseError
from grader.records.model import CheckResult, Outcome, Run, Status, Submission, TestResult
from grader.student import guidance, progress, workspace
from grader.student.start import start
from grader.student.watch_state import Answer, Event, Session
from tests.class_for_reports import ENVIRONMENT

Maker = Callable[..., Course]
OURS = find(start=Path(__file__).parents[1])
WHY = "## Why it works\n\nTwice `x` is <b>x</b> + x.\n\n- `2 * x` works, too.\n"
RIGHT = 'def set_row(x, i, row):\n    """Mine."""\n    return x.at[i, :].set(row)\n'


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli.main, [str(one) for one in arguments])


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """Our course, as a student has it who cloned the repository."""
    monkeypatch.chdir(tmp_path)
    return start(tmp_path).course


def passed(course: Course, stem: str, text: str) -> None:
    course.stub(course[stem]).write_text(text)
    result = CheckResult(course[stem].id, "", Status.PASSED)
    progress.remember(course, result, workspace.digest(course, course[stem]))


def explained(course: Course, key: str) -> Course:
    """The course with an explanation and this line in its catalogue."""
    course.notes(course["double"]).write_text(WHY)
    course.catalog.write_text(f"{key}\n{course.catalog.read_text()}")
    return load(course.catalog)


def test_nothing_is_explained_before_the_examples_pass(mine: Course) -> None:
    refused = run("explain", "set_row")
    assert refused.exit_code == 2
    assert "once it passes, or after its last hint: `grader check" in refused.output
    passed(mine, "set_row", RIGHT)
    assert "\nWhy it works\n" in run("explain", "set_row").output
    mine.stub(mine["set_row"]).write_text(RIGHT + "\n")
    assert run("explain", "set_row").exit_code == 2


def test_the_reference_follows_without_docstrings(mine: Course) -> None:
    passed(mine, "set_row", RIGHT)
    _, _, difference = run("explain", "set_row").output.partition("the reference (+)")
    assert "\n-    return x.at[i, :].set(row)\n" in difference
    assert "\n+    return x.at[i].set(row)\n" in difference
    assert "Mine" not in difference
    assert "Reference solution" not in difference


def test_a_check_that_passes_names_the_command(mine: Course) -> None:
    mine.stub(mine["set_row"]).write_text(
        OURS.stub(OURS["set_row"])
        .read_text()
        .replace("raise NotImplementedError", "return x.at[i].set(row)")
    )
    assert run("check", "set_row").output.endswith("`grader explain set_row` says why it works.\n")


def test_watch_explains_what_has_just_passed(mine: Course) -> None:
    session = Session(mine, lambda exercises: 1, mine["set_row"])
    session.begin()
    passed(mine, "set_row", RIGHT)
    result = CheckResult(mine["set_row"].id, "", Status.PASSED)
    digest = workspace.digest(mine, mine["set_row"])
    session.heard(Event("result", Answer(result, digest, 0.1), 1))
    assert "Press e to read why `set_row` works." in session.said
    session.key("e")
    assert session.explanation is not None
    assert session.explanation.text.startswith("## Why it works")
    session.key("e")
    assert session.explanation is not None
    session.key("l")
    assert session.explanation is None


def test_a_catalogue_that_says_nothing_explains_with_the_results_only(
    make_course: Maker, tmp_path: Path
) -> None:
    course = explained(make_course(tmp_path / "course"), "")
    assert guidance.find_explanation(course, course["double"]) is None
    write_handout(course, tmp_path / "out")
    assert not (tmp_path / "out" / "01_first" / "double.md").exists()


def test_a_handout_holds_explanations_where_the_teacher_says_so_and_no_solution(
    make_course: Maker, tmp_path: Path
) -> None:
    keys = 'explanations = "after_examples"\nsolutions = "after_success"'
    course = explained(make_course(tmp_path / "course"), keys)
    written = write_handout(course, tmp_path / "out")
    assert tmp_path / "out" / "01_first" / "double.md" in written
    handed = load(tmp_path / "out" / "catalog.toml")
    found = guidance.find_explanation(handed, handed["double"])
    assert found == guidance.Explanation(WHY)


def test_a_linked_explanation_is_not_handed_out(make_course: Maker, tmp_path: Path) -> None:
    course = explained(make_course(tmp_path / "course"), 'explanations = "after_examples"')
    place = course.notes(course["double"])
    place.rename(tmp_path / "elsewhere.md")
    place.symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(CourseError, match="is a link"):
        write_handout(course, tmp_path / "out")


@pytest.mark.parametrize("key", ['explanations = "soon"', "solutions = true"])
def test_another_value_in_the_catalogue_is_an_error(
    make_course: Maker, tmp_path: Path, key: str
) -> None:
    with pytest.raises(CourseError, match="; use "):
        explained(make_course(tmp_path / "course"), key)


def graded(outcome: Outcome) -> Run:
    points = 2.0 if outcome is Outcome.PASSED else 0.0
    test = TestResult("test_x", "It doubles.", outcome, points, 2.0)
    result = scoring.exercise_result("01_first/double", (test,))
    grade = scoring.grade(Submission("ada", "d"), (result,))
    return Run("foreign", "0.1.0", ENVIRONMENT, (grade,), explanations={"01_first/double": WHY})


@pytest.mark.parametrize(("outcome", "is_there"), [(Outcome.PASSED, True), (Outcome.FAILED, False)])
def test_a_page_explains_what_has_passed(outcome: Outcome, is_there: bool) -> None:
    run = graded(outcome)
    page = html.page(run, run.submissions[0])
    assert ("Why <code>01_first/double</code> works" in page) is is_there
    assert ("&lt;b&gt;x&lt;/b&gt;" in page) is is_there
    assert ("Why 01_first/double works" in formats.FORMATS["gradescope"].render(run)) is is_there


def test_a_run_holds_the_explanations_of_what_somebody_has_passed() -> None:
    assert scoring.solved(graded(Outcome.PASSED).submissions) == ["01_first/double"]
    assert scoring.solved(graded(Outcome.FAILED).submissions) == []

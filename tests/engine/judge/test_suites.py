"""What a judge knows of a suite without an import of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.records.model import ExerciseResult, Job, Outcome, Submission, Terms

EXERCISE = "01_first/double"
SUITE = '''
from pathlib import Path

import pytest

with (Path(__file__).parents[3] / "imports").open("a") as file:
    file.write("x")


@pytest.mark.points(3)
def test_double(submission):
    """TITLE."""
    assert submission.double(1) == 2


def test_speed(submission, race):
    """It is fast."""
'''


def missing(course: Course, *, races: bool = True) -> ExerciseResult:
    """The result of a new judge for somebody who submitted nothing."""
    terms = Terms("required", "3", with_races=races)
    with JudgeClient.ready(course.stubs, course.exercises, terms) as client:
        (result,) = client.grade(Job(Submission("ada", "", ()), (EXERCISE,)))
    return result


@pytest.mark.slow
def test_a_suite_is_imported_again_only_if_it_changed(
    make_course: Callable[..., Course], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    name = "tests/hidden/01_first/test_double.py"
    course = make_course(tmp_path, {name: SUITE})
    imports = tmp_path / "imports"

    first = missing(course)
    assert [(t.id, t.title, t.max_points) for t in first.tests] == [
        ("test_double", "TITLE.", 3),
        ("test_speed", "It is fast.", 1),
    ]
    assert {test.outcome for test in first.tests} == {Outcome.MISSING}
    known = imports.read_text()
    assert missing(course) == first
    assert imports.read_text() == known

    assert [test.id for test in missing(course, races=False).tests] == ["test_double"]
    imports.unlink()
    (tmp_path / name).write_text(SUITE.replace("TITLE", "Another title"))
    assert missing(course).tests[0].title == "Another title."
    assert imports.exists()


@pytest.mark.slow
def test_a_damaged_memory_is_none(
    make_course: Callable[..., Course], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    course = make_course(tmp_path)
    first = missing(course)
    kept = [path for path in tmp_path.glob("cache/**/collected/*") if path.is_file()]
    assert kept
    for path in kept:
        path.write_bytes(b"{")
    assert missing(course) == first

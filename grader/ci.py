"""What a push or a pull request asks for: which exercises to look at, and how.

    folder --changes--> files --+--> exercises to check   (a repository that the student controls)
                                +--> a Submission         (the course's own run, hidden suites)

Only a course that is named on purpose may judge: one that lies in the work itself is the
student's to write.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from grader import intake, work
from grader.changes import Changes
from grader.check import CheckResult
from grader.course import Course
from grader.errors import SubmissionError, UsageError
from grader.model import Exercise, Submission


def to_check(course: Course, changes: Changes) -> tuple[Exercise, ...]:
    """The exercises of a handout whose work changed; all of them if its catalogue did."""
    if changes.touch(course.stubs / "catalog.toml"):
        return course.exercises
    return tuple(
        exercise
        for exercise in course.exercises
        if changes.touch(course.stub(exercise))
        or changes.touch(work.notebook_path(course, exercise.topic))
    )


def named_in_repository(results: Iterable[CheckResult], changes: Changes) -> list[CheckResult]:
    """The same with each path as the repository knows it."""
    return [
        dataclasses.replace(result, path=changes.shown(Path(result.path).resolve()))
        for result in results
    ]


def to_grade(
    course: Course, folder: Path, changes: Changes, names: Iterable[str] = ()
) -> tuple[Submission, tuple[Exercise, ...]]:
    """The work in `folder`, and the exercises whose work changed, is new or is gone.

    Raises `UsageError` for a folder that isn't there. Stubs that nobody has edited are no work.
    """
    course.require_suites(course.select(names))
    try:
        submission = intake.read(folder, course)
    except SubmissionError as error:
        raise UsageError(str(error)) from error
    sources = {source.exercise: source for source in submission.sources}
    chosen = []
    for exercise in course.select(names):
        source = sources.get(exercise.id)
        if source is None:
            is_asked = _is_gone(exercise, changes)
        else:
            changed = changes.touch(folder.resolve() / source.path)
            is_asked = changed and source.text.strip() != _stub(course, exercise)
        if is_asked:
            chosen.append(exercise)
    return submission, tuple(chosen)


def _is_gone(exercise: Exercise, changes: Changes) -> bool:
    """Whether a file of the exercise's name was deleted."""
    gone = (path for path in changes.files or () if not path.exists())
    return any(path.stem == exercise.stem and path.suffix in (".py", ".ipynb") for path in gone)


def _stub(course: Course, exercise: Exercise) -> str | None:
    try:
        return course.stub(exercise).read_text(encoding="utf-8").strip()
    except OSError:
        return None

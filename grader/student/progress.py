"""What is remembered of a student's course: what was checked, and which hints were shown.

    COURSE/.grader/progress.json   {"schema", "exercises": {id: {"status", "digest", "hints"}}}

A status holds for the work that was checked: `digest` shows whether the work has changed since.
If the file is damaged or can't be written, only what it remembers is lost.
"""

import contextlib
import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.course.course import Course
from grader.records import files
from grader.records.model import Assignment, CheckResult, Exercise, Status
from grader.student import workspace

FOLDER = ".grader"
DONE = (Status.PASSED, Status.UNJUDGED)  # nothing is left to do before the hidden tests
_MAX_BYTES = 1 << 22


@dataclass(frozen=True)
class Entry:
    """One exercise. `status` was found for the work with that `digest`."""

    status: Status | None = None  #: result of the last check
    digest: str | None = None  #: digest of the checked work
    hints: int = 0  #: how many hints were shown


@dataclass(frozen=True)
class Standing:
    """How far an exercise is, without running it. `is_current` if `status` still holds."""

    exercise: Exercise
    status: Status | None
    is_current: bool

    @property
    def passed(self) -> bool:
        return self.is_current and self.status is Status.PASSED

    @property
    def is_done(self) -> bool:
        return self.is_current and self.status in DONE

    def __str__(self) -> str:
        if self.status is None:
            return "not checked"
        return str(self.status) if self.is_current else "changed"


@dataclass(frozen=True)
class Stored:
    """The content of `progress.json`."""

    schema: Literal[1]  #: the version of the file's format
    exercises: dict[str, Entry]  #: by exercise


@dataclass(frozen=True)
class Progress:
    """All entries by exercise. `damaged` if there was a file that could not be read."""

    entries: dict[str, Entry]
    damaged: bool = False

    def __getitem__(self, exercise: Exercise) -> Entry:
        return self.entries.get(exercise.id, Entry())


def folder(course: Course) -> Path:
    """Where a course keeps what isn't submitted; never in an author's `exercises/`."""
    return (course.root or course.stubs) / FOLDER


def load(course: Course) -> Progress:
    try:
        with _path(course).open("rb") as file:
            stored = msgspec.json.decode(file.read(_MAX_BYTES), type=Stored)
    except FileNotFoundError:
        return Progress({})
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return Progress({}, damaged=True)
    return Progress(stored.exercises)


def remember(course: Course, result: CheckResult, digest: str | None) -> None:
    """Stores what a check found for the work with that digest."""
    _update(course, course[result.exercise], status=result.status, digest=digest)


def remember_hint(course: Course, exercise: Exercise, shown: int) -> None:
    _update(course, exercise, hints=shown)


def standings(course: Course) -> list[Standing]:
    """How far every exercise is."""
    progress = load(course)
    return [standing(course, exercise, progress) for exercise in course.exercises]


def standing(course: Course, exercise: Exercise, progress: Progress | None = None) -> Standing:
    """How far one exercise is, by what is stored now if no `progress` is given."""
    entry = (progress or load(course))[exercise]
    digest = workspace.digest(course, exercise)
    if digest is None:
        return Standing(exercise, Status.MISSING, True)
    if entry.status is not None and entry.digest == digest:
        return Standing(exercise, entry.status, True)
    if workspace.place(course, exercise).is_untouched:
        return Standing(exercise, Status.NOT_STARTED, True)
    return Standing(exercise, entry.status, False)


def next_exercise(
    course: Course, after: Exercise | None = None, assignment: Assignment | None = None
) -> Exercise | None:
    """The first that isn't done, or None; of the `assignment`, if one is given.

    The search starts `after` an exercise, and wraps around.
    """
    order = on(course, assignment)
    start = order.index(after) + 1 if after in order else 0
    stored = load(course)
    places = (*order[start:], *order[:start])
    return next((e for e in places if not standing(course, e, stored).is_done), None)


def on(course: Course, assignment: Assignment | None) -> tuple[Exercise, ...]:
    """The exercises of an assignment in its own order; without one, all of the course."""
    return (
        course.exercises
        if assignment is None
        else tuple(course[name] for name in assignment.exercises)
    )


def assignments(course: Course, name: str | None = None) -> list[Assignment]:
    """The assignments that have something left to do, in their order.

    With the name of an assignment or an exercise, only those that it names or that hold it.
    """
    named = {e.id for e in course.named(name)} if name else set()
    own = [a for a in course.assignments if a.name == name]
    fitting = own or [a for a in course.assignments if named <= {*a.exercises}]
    return [
        assignment
        for assignment in fitting
        if next_exercise(course, assignment=assignment) or assignment in own
    ]


def _update(course: Course, exercise: Exercise, **changes: Any) -> None:
    stored = load(course)
    entries = stored.entries | {exercise.id: dataclasses.replace(stored[exercise], **changes)}
    text = msgspec.json.encode(Stored(1, dict(sorted(entries.items()))))
    with contextlib.suppress(OSError):
        if stored.damaged:
            os.replace(_path(course), _path(course).with_suffix(".damaged"))
    with contextlib.suppress(OSError):
        files.write(_path(course), msgspec.json.format(text, indent=1) + b"\n")


def _path(course: Course) -> Path:
    return folder(course) / "progress.json"

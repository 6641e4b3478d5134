"""What is remembered of a student's course: what was checked, and which hints were shown.

    COURSE/.grader/progress.json   {"schema", "exercises": {id: {"status", "digest", "hints"}}}

A status counts for the work that it was found for: `digest` tells whether that has changed. The
file is a convenience. One that is damaged, or can't be written, costs what it remembers and
nothing else.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import work
from grader.course import Course
from grader.model import Exercise, Status

if TYPE_CHECKING:
    from grader.check import CheckResult

SCHEMA = 1
FOLDER = ".grader"
_MAX_BYTES = 1 << 22


@dataclass(frozen=True)
class Entry:
    """One exercise. `status` was found for the work with that `digest`."""

    status: Status | None = None
    digest: str | None = None
    hints: int = 0


@dataclass(frozen=True)
class Standing:
    """How far an exercise is, without running it. `is_current` if nothing changed since."""

    exercise: Exercise
    status: Status | None
    is_current: bool

    @property
    def passed(self) -> bool:
        return self.is_current and self.status is Status.PASSED

    def __str__(self) -> str:
        if self.status is None:
            return "not checked"
        return str(self.status) if self.is_current else "changed"


@dataclass(frozen=True)
class Progress:
    """All entries by exercise. `damaged` if there was a file that could not be read."""

    entries: dict[str, Entry]
    damaged: bool = False

    def __getitem__(self, exercise: Exercise) -> Entry:
        return self.entries.get(exercise.id, Entry())


def folder(course: Course) -> Path:
    """Where a course keeps what isn't handed in. Never among stubs that somebody packages."""
    return (course.root or course.stubs) / FOLDER


def load(course: Course) -> Progress:
    """What is remembered."""
    try:
        with _path(course).open("rb") as file:
            data = json.loads(file.read(_MAX_BYTES))
        if data["schema"] != SCHEMA:
            return Progress({}, damaged=True)
        return Progress({str(name): _entry(one) for name, one in data["exercises"].items()})
    except FileNotFoundError:
        return Progress({})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Progress({}, damaged=True)


def remember(course: Course, result: CheckResult, digest: str | None) -> None:
    """Keeps what a check found for the work with that digest."""
    exercise = course[result.exercise]
    _update(course, exercise, status=result.status, digest=digest)


def remember_hint(course: Course, exercise: Exercise, shown: int) -> None:
    """Keeps how many hints were shown."""
    _update(course, exercise, hints=shown)


def standings(course: Course) -> list[Standing]:
    """Every exercise as far as is known."""
    progress = load(course)
    return [_standing(course, exercise, progress[exercise]) for exercise in course.exercises]


def next_exercise(course: Course, after: Exercise | None = None) -> Exercise | None:
    """The first that hasn't passed, from the one `after` on and around; None if all have."""
    order = standings(course)
    if after is not None:
        start = [one.exercise.id for one in order].index(after.id) + 1
        order = order[start:] + order[:start]
    return next((one.exercise for one in order if not one.passed), None)


def _standing(course: Course, exercise: Exercise, entry: Entry) -> Standing:
    digest = work.digest(course, exercise)
    if digest is None:
        return Standing(exercise, Status.MISSING, True)
    if entry.status is not None and entry.digest == digest:
        return Standing(exercise, entry.status, True)
    if work.is_untouched(course, exercise):
        return Standing(exercise, Status.NOT_STARTED, True)
    return Standing(exercise, entry.status, False)


def _entry(data: Any) -> Entry:
    status, digest, hints = data.get("status"), data.get("digest"), data.get("hints", 0)
    return Entry(
        status=None if status is None else Status(status),
        digest=digest if isinstance(digest, str) else None,
        hints=hints if isinstance(hints, int) else 0,
    )


def _update(course: Course, exercise: Exercise, **changes: Any) -> None:
    known = load(course)
    entries = known.entries | {exercise.id: dataclasses.replace(known[exercise], **changes)}
    text = {
        "schema": SCHEMA,
        "exercises": {name: dataclasses.asdict(entry) for name, entry in sorted(entries.items())},
    }
    with contextlib.suppress(OSError):
        if known.damaged:
            os.replace(_path(course), _path(course).with_suffix(".damaged"))
    with contextlib.suppress(OSError):
        write(_path(course), json.dumps(text, indent=1).encode() + b"\n")


def write(path: Path, data: bytes) -> None:
    """Writes the file beside its place, and renames it into that. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not `tempfile`: what it makes nobody else may read, and here a teacher may have to.
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as file:
            file.write(data)
        os.replace(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _path(course: Course) -> Path:
    return folder(course) / "progress.json"

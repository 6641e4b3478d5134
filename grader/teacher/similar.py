"""The programs of a class as files that Dolos and compare50 read. Nothing is executed or judged."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from grader.course.course import Course
from grader.records.files import file_names
from grader.records.model import Exercise, Person, Source, Submission
from grader.records.safe_text import table

INFO, INFO_COLUMNS = "info.csv", ("filename", "full_name", "label", "created_at")
"""Dolos reads the programs that this file names. Its columns are documented as "metadata"."""
STUB = "stub.py"
"""Dolos and compare50 leave out what stands in it, if they are told to."""


def exported(
    course: Course,
    exercises: Iterable[Exercise],
    submissions: Iterable[Submission],
    teams: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[tuple[str, str]]:
    """Paths and texts: for each exercise its stub, and the whole file of each submission.

    Of a team, by its people's ids, it is the newest: what members share isn't compared.
    """
    submissions = sorted(submissions, key=lambda one: one.at) if teams else list(submissions)
    for exercise in exercises:
        stub = _stub(course, exercise)
        works = [
            (submission, source)
            for submission in submissions
            for source in submission.sources
            if source.exercise == exercise.id and source.text != stub
        ]
        if newest := {teams[one.id]: (one, source) for one, source in works if one.id in teams}:
            of_teams = [(_as_team(name, one), source) for name, (one, source) in newest.items()]
            works = [pair for pair in works if pair[0].id not in teams] + of_teams
        if works:
            yield f"{exercise.id}/{STUB}", stub
            yield from _files(exercise, works)


def _as_team(name: str, submission: Submission) -> Submission:
    section = submission.student.section if submission.student else ""
    return replace(submission, id=name, student=Person(name, name, section=section))


def _files(exercise: Exercise, works: list[tuple[Submission, Source]]) -> Iterator[tuple[str, str]]:
    rows = [INFO_COLUMNS]
    folders = file_names([submission.id for submission, _ in works])
    for folder, (submission, source) in zip(folders, works, strict=True):
        place = f"work/{folder}/{exercise.stem}.py"
        student = submission.student or Person(submission.id)
        rows.append((place, student.name or submission.id, student.section, submission.at))
        yield f"{exercise.id}/{place}", source.text
    yield f"{exercise.id}/{INFO}", table(rows)


def _stub(course: Course, exercise: Exercise) -> str:
    """What students start from; nothing if there is no such file."""
    try:
        return course.stub(exercise).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

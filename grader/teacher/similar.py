"""The programs of a class as files that Dolos and compare50 read. Nothing is executed or judged."""

from collections.abc import Iterable, Iterator

from grader.course.course import Course
from grader.records.files import file_names
from grader.records.model import Exercise, Person, Source, Submission
from grader.records.safe_text import table

INFO, INFO_COLUMNS = "info.csv", ("filename", "full_name", "label", "created_at")
"""Dolos reads the programs that this file names. Its columns are documented as "metadata"."""
STUB = "stub.py"
"""Dolos and compare50 leave out what stands in it, if they are told to."""


def exported(
    course: Course, exercises: Iterable[Exercise], submissions: Iterable[Submission]
) -> Iterator[tuple[str, str]]:
    """Paths and texts: for each exercise its stub, and the whole file of each submission."""
    submissions = list(submissions)
    for exercise in exercises:
        stub = _stub(course, exercise)
        works = [
            (submission, source)
            for submission in submissions
            for source in submission.sources
            if source.exercise == exercise.id and source.text != stub
        ]
        if works:
            yield f"{exercise.id}/{STUB}", stub
            yield from _files(exercise, works)


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

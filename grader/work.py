"""Where a student's work for an exercise lies, and what it says. Executes nothing.

    TOPIC/STEM.py   the file, as a stub has it
    TOPIC.ipynb     else the notebook of its topic, the exercise's own cells in it

A notebook's other cells are the `prelude`: they run first, as they would in Jupyter.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader import course as courses
from grader import notebook, notebooks, source
from grader.course import Course
from grader.errors import CourseError, SubmissionError
from grader.model import Exercise


@dataclass(frozen=True)
class Work:
    """The text of one exercise; the lines of a notebook's are those of its cells."""

    text: str
    prelude: str = ""


def path(course: Course, exercise: Exercise) -> Path:
    """The file of the exercise; the notebook of its topic where nobody wrote in that file."""
    stub, book = course.stub(exercise), notebook_path(course, exercise.topic)
    if not book.exists():
        return book if is_in_notebooks(course) else stub
    original = pristine(course, exercise)
    with contextlib.suppress(OSError):
        if original is None or stub.read_bytes() != original.read_bytes():
            return stub
    return book


def is_in_notebooks(course: Course) -> bool:
    """Whether there are notebooks of the course, and no file of it."""
    has_notebook = any(notebook_path(course, topic).exists() for topic in topics(course))
    return has_notebook and not any(course.stub(e).exists() for e in course.exercises)


def notebook_path(course: Course, topic: str) -> Path:
    return course.stubs / f"{topic}.ipynb"


def files(course: Course) -> Iterator[Path]:
    """Every place where work of this course may lie, whether or not it does."""
    yield from map(course.stub, course.exercises)
    for topic in topics(course):
        yield notebook_path(course, topic)


def topics(course: Course) -> list[str]:
    """In the order of the course."""
    return list(dict.fromkeys(exercise.topic for exercise in course.exercises))


def read(course: Course, exercise: Exercise) -> Work:
    """The work at `path`. Raises `OSError`, or `SubmissionError` for what can't be read."""
    place = path(course, exercise)
    data = place.read_bytes()
    if place.suffix != ".ipynb":
        return Work(source.decode(data))
    book = _book(data)
    section = book.section(exercise.id)
    return Work(section, book.others(exercise.id)) if section else Work(book.text)


def digest(course: Course, exercise: Exercise) -> str | None:
    """What tells one state of the work from another; None where there is nothing to read."""
    try:
        return hashlib.sha256(_own(path(course, exercise), exercise)).hexdigest()
    except OSError:
        return None


def is_untouched(course: Course, exercise: Exercise) -> bool:
    """Whether the work is still what the installed course gives out."""
    original, place = installed(), path(course, exercise)
    stub = pristine(course, exercise)
    if original is None or stub is None or stub == place:
        return False
    try:
        own = _own(place, exercise)
        if place.suffix == ".ipynb":
            return own == _book(_fresh(exercise.topic)).section(exercise.id).encode()
        return own == stub.read_bytes()
    except OSError:
        return False


def _own(place: Path, exercise: Exercise) -> bytes:
    """What lies there for this exercise alone: of a notebook that is ours, its own cells."""
    data = place.read_bytes()
    if place.suffix != ".ipynb":
        return data
    try:
        return _book(data).section(exercise.id).encode() or data
    except SubmissionError:
        return data


@functools.lru_cache(maxsize=16)
def _book(data: bytes) -> notebook.Notebook:
    return notebook.read(data)


@functools.lru_cache(maxsize=64)
def _fresh(topic: str) -> bytes:
    original = installed()
    return b"" if original is None else notebooks.write(original, topic)


def pristine(course: Course, exercise: Exercise) -> Path | None:
    """The stub in the installed course, if that is the same course."""
    original = installed()
    if original is None or original.name != course.name:
        return None
    known = {e.id for e in original.exercises}
    return original.stub(exercise) if exercise.id in known else None


@functools.cache
def installed() -> Course | None:
    try:
        return courses.installed()
    except CourseError:
        return None

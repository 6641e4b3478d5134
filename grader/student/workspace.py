"""Where a student's work for an exercise is, and its text. Executes nothing.

    TOPIC/STEM.py   the file of the exercise
    TOPIC.ipynb     or the exercise's cells in the notebook of its topic

A notebook's other cells are the `prelude`: they run first, as they would in Jupyter.
"""

import contextlib
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from grader.course import course as courses
from grader.course import notes
from grader.course.course import Course
from grader.intake import notebook, source
from grader.records import digests
from grader.records.errors import CourseError, SubmissionError
from grader.records.model import Exercise
from grader.student import notebooks


@dataclass(frozen=True)
class Work:
    """The text of one exercise; in a notebook, the text of the exercise's cells."""

    text: str
    prelude: str = ""
    cells: tuple[int, ...] = ()  # in a notebook, the line of `text` before each cell's first


@dataclass(frozen=True)
class Place:
    """Where the work for an exercise is, and what the course has beside it. Files may be absent."""

    exercise: Exercise
    file: Path  #: the work
    stub: Path | None  #: in the installed course, if that is the same course
    mistakes: Path
    picture: str  #: code that draws it; empty if the course has none
    answers: tuple[str, ...] = ()  #: digests of right predictions, unless withheld

    @property
    def stub_text(self) -> str | None:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return None if self.stub is None else self.stub.read_text(encoding="utf-8")
        return None

    @property
    def is_untouched(self) -> bool:
        """Whether the work is still the stub of the installed course."""
        if self.stub is None or self.stub == self.file:
            return False
        try:
            own = _own(self.file, self.exercise)
            if self.file.suffix == ".ipynb":
                fresh = _book(_fresh(self.exercise.topic))
                return own == fresh.section(self.exercise.id).encode()
            return own == self.stub.read_bytes()
        except OSError:
            return False


def place(course: Course, exercise: Exercise) -> Place:
    """The work of an exercise; what isn't beside it comes from the installed course."""
    places = [each.known_mistakes for each in known(course)]
    beside = [notes.read(each.notes(exercise)) for each in known(course)]
    is_told = course.explanations != "after_suite"
    return Place(
        exercise,
        path(course, exercise),
        pristine(course, exercise),
        next((place for place in places if place.exists()), places[0]),
        next((each.picture for each in beside if each.picture), ""),
        next((each.answers for each in beside if each.answers and is_told), ()),
    )


def path(course: Course, exercise: Exercise) -> Path:
    """The file of the exercise, or its topic's notebook if the file is missing or untouched."""
    stub, book = course.stub(exercise), notebook_path(course, exercise.topic)
    if not book.exists():
        return book if is_in_notebooks(course) else stub
    if not stub.exists():
        return book
    original = pristine(course, exercise)
    with contextlib.suppress(OSError):
        if original is None or stub.read_bytes() != original.read_bytes():
            return stub
    return book


def is_in_notebooks(course: Course) -> bool:
    """Whether the folder holds notebooks of the course, and none of its other files."""
    has_notebook = any(notebook_path(course, topic).exists() for topic in topics(course))
    return has_notebook and not any(course.stub(e).exists() for e in course.exercises)


def notebook_path(course: Course, topic: str) -> Path:
    return course.stubs / f"{topic}.ipynb"


def files(course: Course) -> Iterator[Path]:
    """Every place where work of this course may be. Some may not exist."""
    yield from map(course.stub, course.exercises)
    yield from (notebook_path(course, topic) for topic in topics(course))


def topics(course: Course) -> list[str]:
    return list(dict.fromkeys(exercise.topic for exercise in course.exercises))


def read(file: Path, exercise: Exercise) -> Work:
    """The work in a file. Raises `OSError`, or `SubmissionError` for what can't be read."""
    data = file.read_bytes()
    if file.suffix != ".ipynb":
        return Work(source.decode(data))
    book = _book(data)
    section = book.section(exercise.id)
    if not section:
        return Work(book.text, cells=_starts((cell for _, cell in book.cells), heading=1))
    own = (cell for mark, cell in book.cells if mark == exercise.id)
    return Work(section, book.others(exercise.id), _starts(own))


def _starts(cells: Iterable[str], heading: int = 0) -> tuple[int, ...]:
    """How many lines there are before each cell; `heading` lines are above each of them."""
    lines = (text.count("\n") + 1 + heading for text in cells)
    return tuple(before + heading for before in accumulate(lines, initial=0))[:-1]


def digest(course: Course, exercise: Exercise) -> str | None:
    """A digest of the work, to see whether it has changed; None if it can't be read."""
    try:
        return digests.plain(_own(path(course, exercise), exercise)).hex()
    except OSError:
        return None


def _own(place: Path, exercise: Exercise) -> bytes:
    """The work for this exercise alone: in a notebook that we wrote, the exercise's cells."""
    data = place.read_bytes()
    if place.suffix != ".ipynb":
        return data
    try:
        return _book(data).section(exercise.id).encode() or data
    except SubmissionError:
        return data


_book = functools.lru_cache(maxsize=16)(notebook.read)


@functools.lru_cache(maxsize=64)
def _fresh(topic: str) -> bytes:
    original = installed()
    return b"" if original is None else notebooks.write(original, topic)


def original(course: Course) -> Course | None:
    """The installed course, if that is the same course."""
    ours = installed()
    return ours if ours is not None and ours.name == course.name else None


def known(course: Course) -> list[Course]:
    """The student's course, and the installed one if that is the same."""
    return [each for each in (course, original(course)) if each is not None]


def pristine(course: Course, exercise: Exercise) -> Path | None:
    """The stub in the installed course, if that is the same course."""
    ours = original(course)
    if ours is None:
        return None
    return next((ours.stub(e) for e in ours.exercises if e.id == exercise.id), None)


@functools.cache
def installed() -> Course | None:
    try:
        return courses.installed()
    except CourseError:
        return None

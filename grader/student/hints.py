"""Three hints for each exercise, one after another.

TOPIC/STEM.hints   paragraphs, with a line of `---` between two hints
"""

import contextlib
import re
from dataclasses import dataclass

from grader.course import Course
from grader.errors import CourseError
from grader.model import Exercise
from grader.student import progress, workspace

_BETWEEN = re.compile(r"^---[ \t]*$", re.MULTILINE)
_LAID_OUT = re.compile(r"^(\s|```|[-*>] )", re.MULTILINE)


@dataclass(frozen=True)
class Hint:
    """One hint, the `number`-th of `count`; `again` if all were shown before."""

    text: str
    number: int
    count: int
    again: bool = False


def following(course: Course, exercise: Exercise) -> Hint:
    """Remembers and returns the next hint, or the last. Raises `CourseError` if there is none."""
    hints = read(course, exercise)
    shown = progress.load(course)[exercise].hints
    number = max(1, min(shown + 1, len(hints)))
    progress.remember_hint(course, exercise, number)
    return Hint(hints[number - 1], number, len(hints), again=shown >= len(hints))


def shown(course: Course, exercise: Exercise) -> tuple[Hint, ...]:
    """The hints that were shown before, newest first. Raises `CourseError` if there are none."""
    texts = read(course, exercise)
    count = min(progress.load(course)[exercise].hints, len(texts))
    return tuple(Hint(texts[n - 1], n, len(texts), again=True) for n in range(count, 0, -1))


def read(course: Course, exercise: Exercise) -> list[str]:
    """All hints of the exercise. Raises `CourseError` if it has none."""
    installed = workspace.pristine(course, exercise)
    own = course.hints(exercise)
    for place in (own, installed.with_suffix(".hints")) if installed else (own,):
        with contextlib.suppress(OSError):
            text = place.read_text(encoding="utf-8", errors="replace")
            if found := [_flowing(part) for part in _BETWEEN.split(text) if part.strip()]:
                return found
    raise CourseError(
        f"there are no hints for `{exercise.id}`: `{own}` is missing or empty. "
        "Read the docstring of the exercise again; the page that it links to explains the rest."
    )


def _flowing(text: str) -> str:
    """Paragraphs without line ends, for a screen of any width; code, lists and quotes keep them."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join(
        one if _LAID_OUT.search(one) else " ".join(one.split()) for one in paragraphs
    ).strip()

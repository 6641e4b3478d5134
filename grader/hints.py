"""Three hints for each exercise, one after another.

TOPIC/STEM.hints   paragraphs, with a line of `---` between two hints
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from grader import progress, work
from grader.course import Course
from grader.errors import CourseError
from grader.model import Exercise

_BETWEEN = re.compile(r"^---[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Hint:
    """One hint, the `number`-th of so many; `again` if there was no other to give."""

    text: str
    number: int
    count: int
    again: bool = False


def following(course: Course, exercise: Exercise) -> Hint:
    """The next hint, and remembers it; the last one again where there is no next.

    Raises `CourseError` if the exercise has no hints.
    """
    hints = read(course, exercise)
    shown = progress.load(course)[exercise].hints
    number = max(1, min(shown + 1, len(hints)))
    progress.remember_hint(course, exercise, number)
    return Hint(hints[number - 1], number, len(hints), again=shown >= len(hints))


def read(course: Course, exercise: Exercise) -> list[str]:
    """All hints of the exercise. Raises `CourseError` if it has none."""
    places = [course.stub(exercise).with_suffix(".hints")]
    if (stub := work.pristine(course, exercise)) is not None:
        places.append(stub.with_suffix(".hints"))
    for place in places:
        found = [_flowing(text) for text in _BETWEEN.split(_text(place)) if text.strip()]
        if found:
            return found
    raise CourseError(
        f"there are no hints for `{exercise.id}`: `{places[0]}` is missing or empty. "
        "Read the docstring of the exercise once more; the page that it links to explains the rest."
    )


def _flowing(text: str) -> str:
    """The text without the line ends within its paragraphs, for a screen of any width."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join(
        one if re.search(r"^(\s|```|[-*>] )", one, re.MULTILINE) else " ".join(one.split())
        for one in paragraphs
    ).strip()


def _text(place: Path) -> str:
    try:
        return place.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

"""What a student reads after success: why it works and, in a clone of the course, the reference.

solutions/TOPIC/STEM.md   in the whole course; a handout has it beside the stub, if at all
"""

import ast
import contextlib
import difflib
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course
from grader.errors import UsageError
from grader.intake import source
from grader.model import Exercise
from grader.student import progress, workspace

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Explanation:
    """Of one exercise."""

    text: str  #: in Markdown
    difference: str = ""  #: from the student's code to the reference; empty where that is kept


def following(course: Course, exercise: Exercise) -> Explanation:
    """The explanation. Raises `UsageError` before the examples pass, and where there is none."""
    if not progress.standing(course, exercise).passed:
        raise UsageError(
            f"`{exercise.stem}` is explained once its examples pass: `grader check {exercise.stem}`"
        )
    if (found := read(course, exercise)) is None:
        raise UsageError(
            f"there is no explanation of `{exercise.stem}` here. If your teacher's course has one, "
            "you get it with your results."
        )
    return found


def read(course: Course, exercise: Exercise, own: str | None = None) -> Explanation | None:
    """What the catalogue allows a student to read once the examples pass, if it is here.

    The reference is compared with `own`, by default with the student's file.
    """
    with contextlib.suppress(OSError):
        if found := place(course, exercise):
            text = found.read_text(encoding="utf-8", errors="replace")
            return Explanation(text, _difference(course, exercise, own))
    return None


def place(course: Course, exercise: Exercise) -> Path | None:
    """Where the explanation is that the catalogue allows; None if there is none."""
    if not course.explains_early and not course.shows_solutions:
        return None
    places = (one.explanation(exercise) for one in _known(course))
    return next((path for path in places if path.is_file()), None)


def _known(course: Course) -> list[Course]:
    """The student's course, and the installed one if that is the same."""
    return [one for one in (course, workspace.original(course)) if one is not None]


def _difference(course: Course, exercise: Exercise, own: str | None) -> str:
    if not course.shows_solutions:
        return ""
    for one in _known(course):
        with contextlib.suppress(OSError):
            if one.root is not None:
                reference = source.decode(one.solution(exercise).read_bytes())
                return _diff(own or workspace.read(course, exercise).text, reference)
    return ""


def _diff(own: str, reference: str) -> str:
    """A unified diff of the code, without docstrings."""
    rows = list(difflib.unified_diff(_code(own), _code(reference), lineterm="", n=99))
    # The first three name files and line numbers.
    return "\n".join(rows[3:])


def _code(text: str) -> list[str]:
    """The lines without docstrings, and without the empty lines around them."""
    try:
        tree = ast.parse(text)
    except (ValueError, SyntaxError):
        return text.splitlines()
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and len(node.body) > 1 and ast.get_docstring(node):
            left_out.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    kept = [row for n, row in enumerate(text.splitlines(), 1) if n not in left_out]
    return "\n".join(kept).strip().splitlines()

"""What a course says besides the task: hints, an explanation after success, advice on JAX.

Hints and explanation are in TOPIC/STEM.md. The catalogue says whether a student may read the
explanation; in a clone of the course, the reference is compared with the student's code, then.
"""

import ast
import contextlib
import difflib
import itertools
import re
from dataclasses import dataclass

from grader.course import notes
from grader.course.course import Course
from grader.intake import source
from grader.records.errors import CourseError, UsageError
from grader.records.model import Exercise
from grader.student import progress, workspace

_LAID_OUT = re.compile(r"^(\s|```|[-*>] )", re.MULTILINE)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Hint:
    """One hint, the `number`-th of `count`; `again` if all were shown before."""

    text: str
    number: int
    count: int
    again: bool = False


def next_hint(course: Course, exercise: Exercise) -> Hint:
    """Remembers and returns the next hint, or the last. Raises `CourseError` if there is none."""
    texts = hints(course, exercise)
    shown = progress.load(course)[exercise].hints
    number = max(1, min(shown + 1, len(texts)))
    progress.remember_hint(course, exercise, number)
    return Hint(texts[number - 1], number, len(texts), again=shown >= len(texts))


def shown_hints(course: Course, exercise: Exercise) -> tuple[Hint, ...]:
    """The hints that were shown before, newest first. Raises `CourseError` if there are none."""
    texts = hints(course, exercise)
    count = min(progress.load(course)[exercise].hints, len(texts))
    return tuple(Hint(texts[n - 1], n, len(texts), again=True) for n in range(count, 0, -1))


def hints(course: Course, exercise: Exercise) -> list[str]:
    """All hints of the exercise. Raises `CourseError` if it has none."""
    for known in workspace.known(course):
        if texts := notes.read(known.notes(exercise)).hints:
            return list(map(flowing, texts))
    raise CourseError(
        f"there are no hints for `{exercise.id}`: `{course.notes(exercise)}` is missing, or "
        "contains none. Read the exercise's docstring again; the page that it links to explains "
        "the rest."
    )


def flowing(text: str) -> str:
    """Paragraphs without line ends, for a screen of any width; code, lists and quotes keep them."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip("\n"))
    return "\n\n".join(
        p if _LAID_OUT.search(p) else " ".join(p.split()) for p in paragraphs
    ).strip()


@dataclass(frozen=True)
class Explanation:
    """Of one exercise."""

    text: str  #: in Markdown
    difference: str = ""  #: from the student's code to the reference; empty where that is kept


def explanation(course: Course, exercise: Exercise) -> Explanation:
    """The explanation. Raises `UsageError` if it is too early, and where there is none."""
    if not progress.standing(course, exercise).is_done and not is_for_the_stuck(course, exercise):
        hints = ", or after its last hint" if course.explanations == "after_hints" else ""
        raise UsageError(
            f"`{exercise.stem}` is explained once it passes{hints}: `grader check {exercise.stem}`"
        )
    if (found := find_explanation(course, exercise)) is None:
        raise UsageError(
            f"there is no explanation of `{exercise.stem}` here. If your teacher's course has one, "
            "you get it with your results."
        )
    return found


def is_for_the_stuck(course: Course, exercise: Exercise) -> bool:
    """Whether all hints were shown, and the course explains an exercise then."""
    if course.explanations != "after_hints" or not is_explained(course, exercise):
        return False
    return progress.load(course)[exercise].hints >= len(hints(course, exercise))


def find_explanation(
    course: Course, exercise: Exercise, own: str | None = None
) -> Explanation | None:
    """What the catalogue allows a student to read once the examples pass, if it is here.

    The reference is compared with `own`, by default with the student's file.
    """
    text = _explanation(course, exercise)
    return Explanation(text, _difference(course, exercise, own)) if text else None


def is_explained(course: Course, exercise: Exercise) -> bool:
    """Whether there is an explanation that the catalogue allows a student to read."""
    return bool(_explanation(course, exercise))


def _explanation(course: Course, exercise: Exercise) -> str:
    if course.explanations == "after_suite" and not course.shows_solutions:
        return ""
    texts = (notes.read(known.notes(exercise)).explanation for known in workspace.known(course))
    return next(filter(None, texts), "")


def _difference(course: Course, exercise: Exercise, own: str | None) -> str:
    """A unified diff of the code, without docstrings."""
    if not course.shows_solutions:
        return ""
    for known in workspace.known(course):
        with contextlib.suppress(OSError):
            if known.root is not None:
                reference = source.decode(known.solution(exercise).read_bytes())
                text = own or workspace.read(workspace.path(course, exercise), exercise).text
                rows = difflib.unified_diff(_code(text), _code(reference), lineterm="", n=99)
                # The first three name files and line numbers.
                return "\n".join(itertools.islice(rows, 3, None))
    return ""


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


def unproved(course: Course, version: str | None = None) -> str | None:
    """Advice if the course was not proved on this version of JAX, by default the installed one."""
    if course.proved_jax is None:
        return None
    version = version or jax_version()
    if version is None:
        return (
            "JAX is not installed for this Python, and no exercise runs without it: "
            '`python -m pip install "jax[cpu]"`.'
        )
    from packaging.version import Version

    oldest, newest = (Version(name).release for name in course.proved_jax)
    release = Version(version).release
    if release >= oldest and release[: len(newest)] <= newest:
        return None
    return (
        f"This is JAX {version}, but the course was proved on {' to '.join(course.proved_jax)}. "
        "Most of it works anyway. If an example fails although your code looks right, install one "
        f'of those: `python -m pip install "jax[cpu]=={course.proved_jax[1]}.*"`.'
    )


def jax_version() -> str | None:
    """The installed version; None if JAX is not installed."""
    import importlib.metadata

    try:
        return importlib.metadata.version("jax")
    except importlib.metadata.PackageNotFoundError:
        return None

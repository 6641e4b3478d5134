"""What a push has to try: from the files that changed to exercises, attacks and slow tests.

changed files -> `select` -> `Selection` -> the sessions of `noxfile.py`
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

T = TypeVar("T")

# The packages of the engine in which a mark is made, or kept safe.
JUDGING = ("bench", "judge", "processes", "race", "sandbox", "suite", "wire", "worker")
# These tests belong to the session `docs`, and run what the pages say.
DOCUMENTS = tuple(
    f"tests/test_{name}.py" for name in ("documents", "pages", "pictures", "reference")
)
_PAGES = ("docs/", "README.md", ".github/CONTRIBUTING.md", "exercises/README.md")
_SHOWN = ("grader/commands/", "grader/output/screens/", *DOCUMENTS)
_ALL_ATTACKS = ("tests/attacks/", "tests/test_attacks.py")
_OF_AN_EXERCISE = ("exercises", "solutions", "tests/hidden")


@dataclass(frozen=True)
class Selection:
    """What is tried in full. A sample of all else is tried, too."""

    exercises: tuple[str, ...]  # they changed themselves, so they come first
    course: bool  # the judging of every exercise changed
    attacks: bool
    documents: bool
    slow: tuple[str, ...]  # test files, whose slow tests are run


def select(
    changed: Collection[str] | None, exercises: Sequence[str], tests: Sequence[str]
) -> Selection:
    """Chooses by the paths that changed; None, if nobody knows which, selects everything."""
    if changed is None:
        return Selection((), True, True, True, tuple(tests))
    judging = _under(changed, *(f"grader/engine/{name}/" for name in JUDGING))
    return Selection(
        exercises=tuple(name for name in exercises if any(is_of(name, path) for path in changed)),
        course=judging or "exercises/catalog.toml" in changed,
        attacks=judging or _under(changed, *_ALL_ATTACKS),
        documents=_under(changed, *_PAGES, *_SHOWN),
        slow=tuple(test for test in tests if any(_tries(test, path) for path in changed)),
    )


def is_of(exercise: str, path: str) -> bool:
    """Whether the file is one of this exercise, as its stub, its hints or its suite are.

    A file beside them that belongs to no exercise, such as a `conftest.py`, is of all of them.
    """
    topic, stem = exercise.split("/")
    file = PurePosixPath(path)
    if file.parent.as_posix() not in {f"{folder}/{topic}" for folder in _OF_AN_EXERCISE}:
        return False
    own = file.name.partition(".")[0].removeprefix("test_")
    return own in (stem, "conftest", "README")


def _tries(test: str, path: str) -> bool:
    """Whether the test file is the path, or tries the package or the module that the path is in."""
    folder = PurePosixPath(test).parent.as_posix().replace("tests", "grader", 1)
    is_below = folder != "grader" and path.startswith(f"{folder}/")
    return is_below or path in (test, test.replace("tests/test_", "grader/"))


def _under(changed: Collection[str], *beginnings: str) -> bool:
    return any(path.startswith(beginnings) for path in changed)


def sample(things: Sequence[T], place: int, parts: int) -> tuple[T, ...]:
    """One part of the things. With one commit after the other, each has its turn."""
    return tuple(things[place % parts :: parts])


def turned(things: Sequence[T], place: int) -> tuple[T, ...]:
    """All things, from another one on for each commit: time may be up before the last of them."""
    middle = place % len(things) if things else 0
    return (*things[middle:], *things[:middle])

"""The tests of a suite before any of them runs, remembered from one run to the next.

A judge imports a suite when it judges with it. To import all suites of a course only to know what
is missing would take longer than to judge one answer. What a suite's import says stays the same as
long as the suite, its solution, what suites share, and the code that judges do.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from grader import files
from grader.judge.suites import CourseSuites
from grader.model import Exercise, TestResult, pack, unpack


@dataclass(frozen=True)
class Collected:
    """What is known of a suite without a run."""

    tests: tuple[TestResult, ...]
    """Each test that runs, with its points and without a verdict."""
    racing: tuple[str, ...]
    """The ids of those that ask for the fixture `race`."""


class Memory:
    """What this machine knows of the suites of a course, in a folder of its cache."""

    def __init__(self, folder: Path, suites: CourseSuites, *, with_races: bool) -> None:
        """Raises `OSError` if the folder can't be made."""
        self._folder = files.make_private_folder(folder)
        self._suites = suites
        self._common = repr([with_races, pytest.__version__, _code()])

    def of(self, exercise: Exercise) -> Collected | None:
        """What is known of the exercise's suite as it is now, or None."""
        with suppress(OSError, ValueError):
            return unpack(self._place(exercise).read_bytes(), Collected)
        return None

    def keep(self, exercise: Exercise, collected: Collected) -> None:
        """Where nothing can be written, the next judge imports the suite again."""
        with suppress(OSError):
            self._place(exercise).write_bytes(pack(collected))

    def _place(self, exercise: Exercise) -> Path:
        key = self._common + self._suites.fingerprint(exercise)
        return self._folder / hashlib.sha256(key.encode()).hexdigest()


@cache
def _code() -> str:
    """A digest of the code that reads a suite."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()

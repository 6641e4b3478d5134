"""The suites of a course: their solutions, their runs, and their tests before any of them runs.

A judge imports a suite when it judges with it. To import all suites of a course only to know what
is missing would take longer than to judge one answer. What a suite's import says stays the same as
long as the suite, its solution, what suites share, and the code that judges do: so it is kept.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest
from pytest_jsonreport import plugin as jsonreport

from grader import files
from grader.course import Course
from grader.judge import plugin
from grader.judge.host import FLAGS, OPTIMIZE
from grader.model import Exercise, Source, TestResult
from grader.records import DamagedError, pack, unpack

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(.+)|import[ \t]+(.+))$", re.M)
_ARGUMENTS = (
    "--import-mode=importlib --json-report --json-report-file=none -q --no-header --no-summary "
    "-p no:cacheprovider -p no:logging -p no:faulthandler -p no:unraisableexception "
    "-p no:threadexception --tb=no --strict-markers "
    "--capture=sys -W ignore"
).split()


class CourseSuites:
    """The exercises that a judge may be asked for, by the paths of their suites."""

    def __init__(self, course: Course, exercises: Iterable[Exercise]) -> None:
        self.course = course
        self._exercises = {course.suite(e).resolve(): e for e in exercises}
        self._fingerprints: dict[str, str] = {}

    def exercise(self, suite: Path) -> Exercise:
        """The exercise that the suite at this path judges."""
        return self._exercises[suite.resolve()]

    def solution(self, exercise: Exercise) -> Source:
        """The solution in the form of a submission."""
        path = self.course.solution(exercise)
        return Source(exercise.id, path.name, path.read_text(encoding="utf-8"))

    def modules(self) -> tuple[str, ...]:
        """What the course's answers import, right ones and wrong ones: so will many students.

        Some of the names are no modules, such as `functools.partial`.
        """
        places = (self.course.solution, self.course.variants, self.course.mutants)
        paths = (place(exercise) for exercise in self._exercises.values() for place in places)
        texts = (path.read_text(encoding="utf-8") for path in paths if path.is_file())
        return tuple(sorted({module for text in texts for module in _imported(text)}))

    def fingerprint(self, exercise: Exercise) -> str:
        """A digest of everything that the tests of an exercise depend on."""
        if exercise.id not in self._fingerprints:
            compiling = [FLAGS, OPTIMIZE, exercise.runs_long, exercise.numpy]
            digest = hashlib.sha256(repr(compiling).encode())
            own = (self.course.suite(exercise), self.course.solution(exercise))
            digest.update(_contents(own) + self._shared)
            self._fingerprints[exercise.id] = digest.hexdigest()
        return self._fingerprints[exercise.id]

    @cached_property
    def _shared(self) -> bytes:
        return _contents(self.course.shared_by_suites())


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
        with suppress(OSError, DamagedError, ValueError):
            return unpack(self._place(exercise).read_bytes(), Collected)
        return None

    def keep(self, exercise: Exercise, collected: Collected) -> None:
        """Where nothing can be written, the next judge imports the suite again."""
        with suppress(OSError):
            self._place(exercise).write_bytes(pack(collected))

    def _place(self, exercise: Exercise) -> Path:
        key = self._common + self._suites.fingerprint(exercise)
        return self._folder / hashlib.sha256(key.encode()).hexdigest()


PLUGINS = (plugin, jsonreport)
"""For a run of pytest in the judge. As modules: for a name after `-p`, pytest would read the
metadata of every package."""


def pytest_arguments(course: Course, arguments: Iterable[str]) -> list[str]:
    """A run over hidden suites alone, which prints nothing."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    assert course.root is not None
    where = [f"--rootdir={course.hidden}", f"--confcutdir={course.hidden}", "-c", os.devnull]
    return [*where, *_ARGUMENTS, *arguments]


def _imported(text: str) -> Iterator[str]:
    for package, names, plain in _IMPORT.findall(text):
        listed = [words[0] for part in (names or plain).split(",") if (words := part.split())]
        yield from (f"{package}.{name}" for name in listed) if package else listed
        if package:
            yield package


def _contents(paths: Iterable[Path]) -> bytes:
    """The digests of some files, one after the other."""
    return b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)


@cache
def _code() -> str:
    """A digest of the code that reads a suite."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()

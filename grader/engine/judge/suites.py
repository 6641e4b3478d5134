"""The suites of a course: their solutions, their runs, and their tests before any of them runs.

A judge imports a suite when it judges with it. To import all suites of a course only to know what
is missing would take longer than to judge one answer. What a suite's import says stays the same as
long as the suite, its solution, what suites share, and the code that judges do: so it is kept.
"""

import ast
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pytest_jsonreport import plugin as jsonreport

from grader.course.course import Course
from grader.engine.judge import plugin
from grader.engine.processes.host import FLAGS, OPTIMIZE
from grader.records import digests
from grader.records.model import Exercise, Source, TestResult

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
        name = self.course.solution(exercise).name
        return Source(exercise.id, name, self.course.solution_text(exercise))

    def modules(self) -> tuple[str, ...]:
        """What the course's answers import, right ones and wrong ones: so will many students.

        Some of the names are no modules, such as `functools.partial`.
        """
        places = (self.course.solution, self.course.right, self.course.wrong)
        paths = (place(exercise) for exercise in self._exercises.values() for place in places)
        texts = (path.read_text(encoding="utf-8") for path in paths if path.is_file())
        return tuple(sorted({module for text in texts for module in digests.imported(text)}))

    def fingerprint(self, exercise: Exercise) -> str:
        """A digest of everything that the tests of an exercise depend on."""
        if exercise.id not in self._fingerprints:
            compiling = repr([FLAGS, OPTIMIZE, exercise.runs_long, exercise.numpy])
            files = [*self.course.suite_files(exercise), self.course.solution(exercise)]
            own = digests.of_files(files)
            self._fingerprints[exercise.id] = digests.of(compiling, own, self._shared)
        return self._fingerprints[exercise.id]

    @cached_property
    def _shared(self) -> str:
        return digests.of_files(self.course.shared_by_suites())


@dataclass(frozen=True)
class Collected:
    """What is known of a suite without a run."""

    tests: tuple[TestResult, ...]
    """Each test that runs, with its points and without a verdict."""
    racing: tuple[str, ...]
    """The ids of those that ask for the fixture `race`."""


PLUGINS = (plugin, jsonreport)
"""For a run of pytest in the judge. As modules: for a name after `-p`, pytest would read the
metadata of every package."""


def pytest_arguments(course: Course, arguments: Iterable[str]) -> list[str]:
    """A run over hidden suites alone, which prints nothing."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    assert course.root is not None
    where = [f"--rootdir={course.hidden}", f"--confcutdir={course.hidden}", "-c", os.devnull]
    return [*where, *_ARGUMENTS, *arguments]


def unknown_markers(suite: str, known: Iterable[str]) -> Iterator[str]:
    """A sentence for each marker of a suite's text that isn't among the `known` lines of pytest."""
    names = {line.partition(":")[0].partition("(")[0] for line in known}
    for node in ast.walk(ast.parse(suite)):
        for decorator in getattr(node, "decorator_list", ()):
            where, _, name = ast.unparse(decorator).partition("(")[0].rpartition(".")
            if where == "pytest.mark" and name not in names:
                yield f"`{getattr(node, 'name', '')}` has the marker `{name}`, which doesn't exist."

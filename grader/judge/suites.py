"""The suites of a course and their solutions, which the judge imports once and keeps."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from grader.course import Course
from grader.judge.host import FLAGS, OPTIMIZE
from grader.judge.oracle import Oracle
from grader.model import Exercise, Source

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(.+)|import[ \t]+(.+))$", re.M)


class CourseSuites:
    """The exercises that a judge may be asked for, by the paths of their suites."""

    def __init__(self, course: Course, exercises: Iterable[Exercise]) -> None:
        self.course = course
        self._exercises = {course.suite(e).resolve(): e for e in exercises}
        self._oracles: dict[Path, Oracle] = {}
        self._fingerprints: dict[str, str] = {}

    def exercise(self, suite: Path) -> Exercise:
        """The exercise that the suite at this path judges."""
        return self._exercises[suite.resolve()]

    def oracle(self, suite: Path) -> Oracle:
        """The solution of that exercise, imported once."""
        if suite not in self._oracles:
            exercise = self.exercise(suite)
            self._oracles[suite] = Oracle(self.course.solution(exercise), numpy=exercise.numpy)
        return self._oracles[suite]

    def solution(self, exercise: Exercise) -> Source:
        """The solution in the form of a submission."""
        name = self.course.solution(exercise).name
        return Source(exercise.id, name, self.course.solution_text(exercise))

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


def _imported(text: str) -> Iterator[str]:
    for package, names, plain in _IMPORT.findall(text):
        listed = [words[0] for part in (names or plain).split(",") if (words := part.split())]
        yield from (f"{package}.{name}" for name in listed) if package else listed
        if package:
            yield package


def _contents(paths: Iterable[Path]) -> bytes:
    """The digests of some files, one after the other."""
    return b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)

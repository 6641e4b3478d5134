"""Suites under plain pytest: for an author who writes or debugs one.

pytest tests/hidden/01_arrays/test_set_row.py [--submission PATH] [--debug-in-process]
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest

from grader import course as courses
from grader import intake
from grader.judge.debug import DirectSeat
from grader.judge.host import Host
from grader.judge.isolation import open_host
from grader.judge.oracle import Oracle
from grader.judge.plugin import Suites
from grader.judge.seat import Benches, RemoteSeat
from grader.model import Exercise, Source


class AuthorSuites(Suites):
    """Judges the reference solution, or the file of `--submission`, as confined as it can be."""

    def __init__(self, config: pytest.Config) -> None:
        self.seed = config.getoption("--seed") or secrets.token_hex(8)
        self._path: str | None = config.getoption("--submission")
        self._direct = bool(config.getoption("--debug-in-process"))
        self._host: Host | None = None
        self._seats: dict[Path, Any] = {}
        self._oracles: dict[Path, Oracle] = {}

    def seat(self, suite: Path) -> Any:
        if suite not in self._seats:
            for seat in self._seats.values():
                seat.close()
            self._seats = {suite: self._new_seat(suite)}
        return self._seats[suite]

    def oracle(self, suite: Path) -> Oracle:
        if suite not in self._oracles:
            course, exercise = _exercise_of(suite)
            self._oracles[suite] = Oracle(course.solution(exercise))
        return self._oracles[suite]

    def close(self) -> None:
        for seat in self._seats.values():
            seat.close()
        if self._host is not None:
            self._host.close()

    def _new_seat(self, suite: Path) -> Any:
        course, exercise = _exercise_of(suite)
        source = self._source(course, exercise)
        if self._direct:
            return DirectSeat(exercise, source)
        if self._host is None:
            # Whatever layers there are: an author tries files of students, too.
            self._host, _ = open_host("available", None, course.secrets())
            self._benches = Benches(self._host)
        return RemoteSeat(self._host, exercise, source, self._benches)

    def _source(self, course: courses.Course, exercise: Exercise) -> Source:
        if self._path is None:
            path = course.solution(exercise)
            return Source(exercise.id, path.name, path.read_text(encoding="utf-8"))
        submission = intake.read(Path(self._path), course)
        for source in submission.sources:
            if source.exercise == exercise.id:
                return source
        # An author may try any file on any suite, whatever its name.
        path = Path(self._path)
        if path.suffix == ".py":
            return Source(exercise.id, path.name, path.read_text(encoding="utf-8"))
        raise pytest.UsageError(f"`{path}` holds nothing for the exercise `{exercise.id}`")


def _exercise_of(suite: Path) -> tuple[courses.Course, Exercise]:
    course = courses.find(start=suite.parent)
    for exercise in course.exercises:
        if course.suite(exercise).resolve() == suite.resolve():
            return course, exercise
    raise pytest.UsageError(
        f"`{suite}` is the suite of no exercise in the catalogue of `{course.name}`"
    )

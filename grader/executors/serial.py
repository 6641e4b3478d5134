"""One judge, one submission after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from grader.errors import HostError
from grader.executors.process import JudgeProcess
from grader.model import (
    MOST_CROWDED,
    Environment,
    Exercise,
    ExerciseResult,
    Job,
    Outcome,
    Race,
    Terms,
    TestResult,
)
from grader.records import (
    environment_from_json,
    exercise_result_from_json,
    race_from_json,
    test_from_json,
    to_json,
)

# The first proof of every suite on a machine compiles everything.
START_SECONDS = 900
# What the judge itself may take for an exercise, beyond the student's own seconds.
OWN_SECONDS = 120


class Serial:
    """A judge that lives as long as the `with` block."""

    def __init__(self, catalog: Path, exercises: tuple[Exercise, ...], terms: Terms) -> None:
        self._start: dict[str, Any] = {
            "course": str(catalog),
            "exercises": [exercise.id for exercise in exercises],
            "terms": to_json(terms),
        }
        self._seconds = {
            e.id: MOST_CROWDED * e.limits.total_seconds + OWN_SECONDS for e in exercises
        }
        self._judge: JudgeProcess | None = None
        self._points: dict[str, float] = {}
        self._aborted = False

    def __enter__(self) -> Serial:
        self.start()
        try:
            self.prove(self._start["exercises"])
        except BaseException:
            self._close()
            raise
        return self

    def start(self) -> Environment:
        """Starts the judge, which imports every suite. Raises `BrokenSuiteError` for a bad one."""
        self.environment = self._open()
        return self.environment

    def prove(self, exercises: list[str], *, submissions: int = 1) -> None:
        """Lets the judge prove suites on their solutions, where this machine hasn't seen it.

        Before many submissions it compiles what they will have in common, too.
        Raises `BrokenSuiteError` for one that can't judge.
        """
        assert self._judge is not None
        for name in exercises:
            self._judge.ask("prove", START_SECONDS, exercises=[name], submissions=submissions)

    def abort(self) -> None:
        """Ends the judge in the middle of its work, from another thread; `run` raises."""
        self._aborted = True
        if self._judge is not None:
            self._judge.kill()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        """Results in the order of the jobs. A judge that fails twice breaks its own job only."""
        for job in jobs:
            try:
                results = self._grade(job)
            except HostError:
                self._close()
                if self._aborted:
                    raise
                try:
                    results = self._grade(job)
                except HostError as error:
                    self._close()
                    if self._aborted:
                        raise
                    results = tuple(self._broken(name, str(error)) for name in job.exercises)
            yield job, results

    def race(self, job: Job, on_pair: Callable[[Race], None]) -> tuple[TestResult, ...]:
        """The tests that race, of the one exercise of a job; `on_pair` follows each race."""
        assert self._judge is not None
        (name,) = job.exercises
        answer = self._judge.ask(
            "race",
            self._seconds[name],
            lambda told: on_pair(race_from_json(told)),
            submission=to_json(job.submission),
            exercise=name,
        )
        return tuple(test_from_json(test) for test in answer)

    def _open(self) -> Environment:
        self._judge = JudgeProcess()
        try:
            given = self._judge.ask("start", START_SECONDS, **self._start)
        except BaseException:
            self._close()
            raise
        self._points = given["points"]
        return environment_from_json(given["environment"])

    def _grade(self, job: Job) -> tuple[ExerciseResult, ...]:
        if self._judge is None:
            self._open()
        assert self._judge is not None
        answer = self._judge.ask(
            "grade",
            sum(self._seconds[name] for name in job.exercises),
            submission=to_json(job.submission),
            exercises=list(job.exercises),
            races={name: sorted(tests) for name, tests in job.races.items()},
        )
        return tuple(exercise_result_from_json(result) for result in answer)

    def _close(self) -> None:
        if self._judge is not None:
            self._judge.close()
            self._judge = None

    def _broken(self, exercise: str, why: str) -> ExerciseResult:
        return ExerciseResult(exercise, Outcome.BROKEN, None, self._points[exercise], message=why)

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
    TestResult,
    exercise_result_from_json,
    race_from_json,
    test_from_json,
    to_json,
)

# Starting includes the first proof of every suite on this machine, which compiles everything.
START_SECONDS = 900
# What the judge itself may take for an exercise, beyond the student's own seconds.
OWN_SECONDS = 120


class Serial:
    """A judge that lives as long as the `with` block."""

    def __init__(
        self,
        catalog: Path,
        exercises: tuple[Exercise, ...],
        isolation: str,
        seed: str,
        *,
        scale: float = 1.0,
        proving: bool = False,
        hasty: bool = False,
        races: bool = True,
    ) -> None:
        """`scale` multiplies the limits; a `proving` judge goes on with an unproved suite.

        Without `races` the tests that need a clock are left out, as if no suite had them.

        A `hasty` one runs each suite to the first test that is lost; the others are `missing`.
        """
        self._start: dict[str, Any] = {
            "course": str(catalog),
            "exercises": [exercise.id for exercise in exercises],
            "isolation": isolation,
            "seed": seed,
            "scale": scale,
            "proving": proving,
            "hasty": hasty,
            "races": races,
        }
        self._seconds = {
            e.id: MOST_CROWDED * e.limits.total_seconds + OWN_SECONDS for e in exercises
        }
        self._judge: JudgeProcess | None = None
        self._points: dict[str, float] = {}

    def __enter__(self) -> Serial:
        self.environment = self._open()
        return self

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
                try:
                    results = self._grade(job)
                except HostError as error:
                    self._close()
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
        environment = given["environment"]
        return Environment(**{**environment, "isolation": tuple(environment["isolation"])})

    def _grade(self, job: Job) -> tuple[ExerciseResult, ...]:
        if self._judge is None:
            self._open()
        assert self._judge is not None
        answer = self._judge.ask(
            "grade",
            sum(self._seconds[name] for name in job.exercises),
            submission=to_json(job.submission),
            exercises=list(job.exercises),
        )
        return tuple(exercise_result_from_json(result) for result in answer)

    def _close(self) -> None:
        if self._judge is not None:
            self._judge.close()
            self._judge = None

    def _broken(self, exercise: str, why: str) -> ExerciseResult:
        return ExerciseResult(exercise, Outcome.BROKEN, None, self._points[exercise], message=why)

"""One judge, one submission after another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from grader.errors import BrokenSuiteError, HostError
from grader.executors.process import JudgeProcess, Warn, judge_process
from grader.intake.source import printable
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
    pack,
    unpack,
)

# The first proof of a suite on a machine compiles everything.
START_SECONDS = 900
# For the judge's own work on an exercise, on top of the student's seconds.
OWN_SECONDS = 120


def print_warning(text: str) -> None:
    """Tells the operator at once. Only some of it is also in a report."""
    print(text, file=sys.stderr, flush=True)


class Serial(AbstractContextManager["Serial"]):
    """A judge that lives as long as the `with` block. `stubs` is the course's folder of stubs."""

    environment: Environment

    def __init__(
        self,
        stubs: Path,
        exercises: tuple[Exercise, ...],
        terms: Terms,
        warn: Warn = print_warning,
        *,
        submissions: int = 1,
    ) -> None:
        """`warn` gets what the operator has to know before the end of the run.

        Before many `submissions`, the judge prepares what they will have in common.
        """
        self._warn = warn
        self._isolation = terms.isolation
        self._start: dict[str, Any] = {
            "course": str(stubs),
            "exercises": [exercise.id for exercise in exercises],
            "terms": pack(terms),
            "submissions": submissions,
        }
        self._seconds = {
            e.id: MOST_CROWDED * e.limits.total_seconds + OWN_SECONDS for e in exercises
        }
        self._judge: JudgeProcess | None = None
        self._points: dict[str, float] = {}
        self._interrupted = False

    def __enter__(self) -> Serial:
        self.start()
        try:
            self.prove(self._start["exercises"])
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> Environment:
        """Starts the judge, which imports the suites that are new on this machine.

        Raises `BrokenSuiteError` for one that can't be imported.
        """
        self._judge = judge_process(self._isolation)
        try:
            given = self._ask("start", START_SECONDS, **self._start)
        except BaseException:
            self.close()
            raise
        self._points = given["points"]
        self.environment = unpack(given["environment"], Environment)
        return self.environment

    def prove(self, exercises: list[str]) -> None:
        """Lets the judge prove suites on their solutions, where this machine hasn't done so yet.

        Before many submissions, the judge also compiles what they will have in common.
        Raises `BrokenSuiteError` for a suite that can't judge.
        """
        for name in exercises:
            self._ask(
                "prove",
                START_SECONDS,
                on_warning=self._about(name),
                exercises=[name],
            )

    def interrupt(self) -> None:
        """Ends the judge in the middle of its work, from another thread: that work raises.

        So does all other work, until `go_on` is called. Then a new judge starts.
        """
        self._interrupted = True
        if (judge := self._judge) is not None:
            judge.kill()

    def go_on(self) -> None:
        if self._interrupted:
            self.close()
        self._interrupted = False

    def close(self) -> None:
        if self._judge is not None:
            self._judge.close()
            self._judge = None

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        """Results in the order of the jobs."""
        for job in jobs:
            yield job, self.graded(job)

    def graded(self, job: Job) -> tuple[ExerciseResult, ...]:
        """The results of a job. If the judge fails twice, they are broken."""
        seconds = sum(self._seconds[name] for name in job.exercises)
        about = self._about(job.submission.id)
        why = ""
        for _ in range(2):
            try:
                answer = self._ask("grade", seconds, on_warning=about, job=pack(job))
                return unpack(answer, tuple[ExerciseResult, ...])
            except HostError as error:
                if self._interrupted:
                    raise
                why = str(error)
        return tuple(
            ExerciseResult(name, Outcome.BROKEN, None, self._points[name], message=why)
            for name in job.exercises
        )

    def race(self, job: Job, on_pair: Callable[[Race], None]) -> tuple[TestResult, ...]:
        """The tests with races, of a job's only exercise. `on_pair` gets a race after each pair."""
        (name,) = job.exercises
        answer = self._ask(
            "race",
            self._seconds[name],
            on_event=lambda race: on_pair(unpack(race, Race)),
            on_warning=self._about(job.submission.id),
            job=pack(job),
        )
        return unpack(answer, tuple[TestResult, ...])

    def _about(self, name: str) -> Warn:
        """Says of each warning what was judged."""
        return lambda text: self._warn(f"warning   `{printable(name, 200)}`: {text}")

    def _ask(self, verb: str, seconds: float, **value: Any) -> Any:
        """Asks the judge, or a new one if the last one has failed."""
        if self._judge is None:
            self.start()
        assert self._judge is not None
        try:
            if self._interrupted:
                raise HostError("the judge was ended in the middle of its work")
            return self._judge.ask(verb, seconds, **value)
        except BrokenSuiteError:
            raise
        except BaseException:
            self.close()
            raise

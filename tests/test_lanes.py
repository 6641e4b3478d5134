"""Judges side by side give what one judge gives, in order, and stop together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.errors import HostError
from grader.executors import lanes
from grader.model import Environment, Exercise, ExerciseResult, Job, Outcome, Source, Submission

EXERCISES = tuple(Exercise(f"a/e{n}", "", (f"e{n}",)) for n in range(5))
NAMES = tuple(exercise.id for exercise in EXERCISES)


class FakeSerial:
    """Passes everything that it is given a source for; fails at the submission "bad"."""

    def __init__(self, _: Path, exercises: tuple[Exercise, ...], *__: Any, **___: Any) -> None:
        self.exercises = {exercise.id for exercise in exercises}
        self.graded: list[str] = []
        self.closed = False
        self.environment = Environment("", "", "", (), "")

    def __enter__(self) -> FakeSerial:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        for job in jobs:
            assert set(job.exercises) <= self.exercises
            assert {source.exercise for source in job.submission.sources} <= self.exercises
            if job.submission.id == "bad":
                raise HostError("the judge is gone")
            self.graded.append(job.submission.id)
            given = {source.exercise for source in job.submission.sources}
            yield (
                job,
                tuple(
                    ExerciseResult(n, Outcome.PASSED if n in given else Outcome.MISSING, 1.0, 1.0)
                    for n in job.exercises
                ),
            )


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Callable[[], lanes.Lanes]:
    monkeypatch.setattr(lanes, "Serial", FakeSerial)
    monkeypatch.setattr(lanes.os, "cpu_count", lambda: 3)
    return lambda: lanes.Lanes(Path("catalog"), EXERCISES, "none", "1")


def job(name: str, *names: str) -> Job:
    sources = tuple(Source(n, "x.py", "") for n in names)
    return Job(Submission(name, "", sources), NAMES)


def test_results_are_whole_and_in_order(make: Callable[[], lanes.Lanes]) -> None:
    jobs = [job("ada", *NAMES), job("bob"), job("carl", NAMES[3])]
    with make() as judges:
        found = list(judges.run(jobs))
    assert [j for j, _ in found] == jobs
    assert [[r.id for r in results] for _, results in found] == [list(NAMES)] * 3
    passed = [[r.id for r in results if r.outcome is Outcome.PASSED] for _, results in found]
    assert passed == [list(NAMES), [], [NAMES[3]]]


def test_an_error_in_one_lane_ends_all(make: Callable[[], lanes.Lanes]) -> None:
    many = [job(str(n), *NAMES) for n in range(200)]
    with make() as judges:
        fakes: list[Any] = judges._lanes
        with pytest.raises(HostError, match="the judge is gone"):
            list(judges.run([job("ada"), job("bad"), *many]))
    assert all(fake.closed for fake in fakes)


def test_whoever_stops_listening_stops_the_lanes(make: Callable[[], lanes.Lanes]) -> None:
    with make() as judges:
        fakes: list[Any] = judges._lanes
        results = judges.run([job(str(n)) for n in range(100_000)])
        next(results)
        results.close()
    assert all(len(fake.graded) < 100_000 for fake in fakes)


def test_few_exercises_need_few_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "Serial", FakeSerial)
    assert len(lanes.Lanes(Path("catalog"), EXERCISES[:1], "none", "1")._lanes) == 1

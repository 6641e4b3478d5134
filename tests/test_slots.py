"""Judges in parallel: nothing is lost or judged twice, no judge is idle, all stop together."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.errors import HostError
from grader.executors import slots
from grader.model import (
    Environment,
    Exercise,
    ExerciseResult,
    Job,
    Outcome,
    Source,
    Submission,
    Terms,
)

EXERCISES = tuple(Exercise(f"a/e{n}", "", (f"e{n}",)) for n in range(5))
NAMES = tuple(exercise.id for exercise in EXERCISES)


class FakeSerial:
    """Passes every source; raises at the submission "bad", and waits at "slow"."""

    made: list[FakeSerial] = []  # noqa: RUF012  (emptied by `make`)

    def __init__(self, _: Path, exercises: tuple[Exercise, ...], __: Terms) -> None:
        self.graded: list[tuple[str, str]] = []
        self.proved: list[str] = []
        self.closed = False
        self.aborted = threading.Event()
        self.made.append(self)

    def start(self) -> Environment:
        return Environment("", "", "", (), "")

    def prove(self, names: list[str], *, submissions: int) -> None:
        self.proved = names

    def abort(self) -> None:
        self.aborted.set()

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        for job in jobs:
            assert {source.exercise for source in job.submission.sources} <= set(job.exercises)
            if job.submission.id == "bad":
                raise HostError("the judge is gone")
            if job.submission.id == "slow":
                assert self.aborted.wait(20)
                raise HostError("ended in the middle")
            self.graded += [(job.submission.id, name) for name in job.exercises]
            given = {source.exercise for source in job.submission.sources}
            yield (
                job,
                tuple(
                    ExerciseResult(n, Outcome.PASSED if n in given else Outcome.MISSING, 1.0, 1.0)
                    for n in job.exercises
                ),
            )


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeSerial.made = []
    monkeypatch.setattr(slots, "Serial", FakeSerial)


def make(count: int = 3) -> Any:
    return slots.Slots(Path("catalog"), EXERCISES, Terms("none", "1"), count)


def job(number: int, name: str, *names: str) -> Job:
    sources = tuple(Source(n, "x.py", "") for n in names)
    return Job(Submission(name, "", sources), NAMES, number)


def test_every_exercise_of_every_job_is_judged_once() -> None:
    jobs = [job(0, "ada", *NAMES), job(1, "bob"), job(2, "carl", NAMES[3])]
    with make() as judges:
        found = list(judges.run(jobs))
    outcomes = {(piece.number, r.id): r.outcome for piece, results in found for r in results}
    assert Counter(outcomes.values()) == {Outcome.PASSED: 6, Outcome.MISSING: 9}
    assert sum(len(results) for _, results in found) == 15
    assert outcomes[2, NAMES[3]] is Outcome.PASSED


def test_a_slot_proves_what_is_at_home_with_it_and_all_of_it_is_proved() -> None:
    with make():
        proved = [fake.proved for fake in FakeSerial.made]
    assert sorted(name for names in proved for name in names) == sorted(NAMES)
    assert all(proved)


def test_a_class_with_one_exercise_keeps_every_slot_busy() -> None:
    jobs = [Job(Submission(str(n), ""), NAMES[:1], n) for n in range(600)]

    def run(self: FakeSerial, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[()]]]:
        for each in jobs:
            time.sleep(0.001)  # a piece takes some time
            self.graded.append((each.submission.id, ""))
            yield each, ()

    with make() as judges, pytest.MonkeyPatch.context() as patch:
        patch.setattr(FakeSerial, "run", run)
        assert len(list(judges.run(jobs))) == 600
    assert all(fake.graded for fake in FakeSerial.made)


def test_an_error_in_one_slot_ends_all() -> None:
    many = [job(n, str(n), *NAMES) for n in range(2, 200)]
    with make() as judges, pytest.raises(HostError, match="the judge is gone"):
        list(judges.run([job(0, "ada"), job(1, "bad"), *many]))
    assert all(fake.closed for fake in FakeSerial.made)


def test_closing_the_results_ends_what_is_being_judged() -> None:
    with make() as judges:
        results = judges.run([job(0, "ada"), *(job(n, "slow") for n in range(1, 50))])
        next(results)
        results.close()
    assert all(fake.aborted.is_set() for fake in FakeSerial.made)


def test_a_long_job_is_judged_in_pieces_that_can_be_kept() -> None:
    many = tuple(f"a/e{n}" for n in range(25))
    pieces = list(slots.cut(Job(Submission("ada", ""), many, 7), many))
    assert [len(piece.exercises) for piece in pieces] == [10, 10, 5]
    assert sum((piece.exercises for piece in pieces), ()) == many
    assert {piece.number for piece in pieces} == {7}


def test_little_memory_means_few_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_free_memory", lambda: 1 << 20)
    assert slots.default_slots() == 1

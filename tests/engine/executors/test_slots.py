"""Judges in parallel: nothing is lost or judged twice, no judge is idle, all stop together."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from grader.engine.executors import slots
from grader.engine.executors.executor import Piece, cut
from grader.records.errors import BrokenSuiteError, HostError
from grader.records.model import (
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
PATIENT = 120.0
"""Seconds that only a failure takes."""
SLOW = threading.Event()


class FakeJudge:
    """Passes every source; raises at the submission "bad", and waits at "slow"."""

    made: list[FakeJudge] = []  # noqa: RUF012  (emptied by `make`)

    def __init__(self, isolation: str) -> None:
        self.judged: list[tuple[str, str]] = []
        self.proved: list[str] = []
        self.started = False
        self.closed = False
        self.interrupted = threading.Event()
        self.interruptions = 0
        self.made.append(self)

    def start(self, *_: object, submissions: int) -> Environment:
        self.started = True
        return Environment("", "", "", (), "")

    def prove(self, names: list[str]) -> None:
        self.proved += names

    def name(self, results: tuple[ExerciseResult, ...]) -> tuple[ExerciseResult, ...]:
        return results

    def interrupt(self) -> None:
        self.interruptions += 1
        self.interrupted.set()

    def go_on(self) -> None:
        self.interrupted.clear()

    def close(self) -> None:
        self.closed = True

    def grade(self, job: Job, on_test: object = None) -> tuple[ExerciseResult, ...]:
        assert {source.exercise for source in job.submission.sources} <= set(job.exercises)
        if job.submission.id == "bad":
            raise HostError("the judge is gone")
        if job.submission.id == "slow":
            SLOW.set()
            assert self.interrupted.wait(PATIENT)
            raise HostError("ended in the middle")
        self.judged += [(job.submission.id, name) for name in job.exercises]
        given = {source.exercise for source in job.submission.sources}
        return tuple(
            ExerciseResult(n, Outcome.PASSED if n in given else Outcome.MISSING, 1.0, 1.0)
            for n in job.exercises
        )


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeJudge.made = []
    monkeypatch.setattr(slots, "JudgeClient", FakeJudge)


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


def test_each_suite_is_proved_once_before_its_first_piece() -> None:
    with make() as judges:
        list(judges.run([job(n, str(n), *NAMES) for n in range(20)]))
    proved = [name for fake in FakeJudge.made for name in fake.proved]
    assert sorted(proved) == sorted(NAMES)


def test_a_suite_is_not_proved_for_work_that_is_missing() -> None:
    """A student with one file waits for the proof of one suite, and not of the whole course."""
    with make() as judges:
        list(judges.run([job(0, "ada", NAMES[2]), job(1, "bob")]))
    assert [name for fake in FakeJudge.made for name in fake.proved] == [NAMES[2]]


def test_a_suite_that_is_broken_fails_each_piece_and_is_tried_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []

    def prove(self: FakeJudge, names: list[str]) -> None:
        tried.extend(names)
        raise BrokenSuiteError("it fails its own solution")

    monkeypatch.setattr(FakeJudge, "prove", prove)
    with make() as judges:
        jobs = [Job(job(n, str(n), NAMES[0]).submission, NAMES[:1]) for n in range(9)]
        pieces = [judges.submit(one) for one in jobs]
        for (piece,) in pieces:
            with pytest.raises(BrokenSuiteError, match="own solution"):
                piece.result.result(PATIENT)
    assert tried == [NAMES[0]]


def test_a_class_with_one_exercise_keeps_every_slot_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    all_work = threading.Barrier(3)

    def grade(self: FakeJudge, job: Job, on_test: object = None) -> tuple[ExerciseResult, ...]:
        if not self.judged:
            all_work.wait(PATIENT)  # the first piece of each slot takes until all have one
        self.judged.append((job.submission.id, ""))
        return ()

    monkeypatch.setattr(FakeJudge, "grade", grade)
    with make() as judges:
        jobs = [Job(Submission(str(n), ""), NAMES[:1], n) for n in range(600)]
        assert len(list(judges.run(jobs))) == 600
    assert all(fake.judged for fake in FakeJudge.made)


def test_a_judge_starts_when_no_other_is_free() -> None:
    """The first answer doesn't wait for cores that start judges which nobody needs."""

    def started() -> int:
        return sum(fake.started for fake in FakeJudge.made)

    def submitted(student: str) -> Any:
        (piece,) = judges.submit(Job(job(0, student, NAMES[0]).submission, NAMES[:1]))
        return piece.result

    with make() as judges:
        for number in range(20):
            submitted(str(number)).result(PATIENT)
        assert started() == 1
        for others in (0, 1):
            SLOW.clear()
            submitted("slow")
            assert SLOW.wait(PATIENT)
            assert started() == 1 + others
        submitted("ada").result(PATIENT)
        assert started() == 3


def test_work_may_come_later_and_from_many_threads() -> None:
    with make() as judges, ThreadPoolExecutor(20) as threads:
        jobs = [job(n, str(n), *NAMES) for n in range(200)]
        pieces = [piece for own in threads.map(judges.submit, jobs) for piece in own]
        found = [(piece.job.number, r.id) for piece in pieces for r in piece.result.result(PATIENT)]
    assert sorted(found) == sorted((n, name) for n in range(200) for name in NAMES)


def test_an_error_in_one_piece_ends_a_run() -> None:
    many = [job(n, str(n), *NAMES) for n in range(2, 200)]
    with make() as judges, pytest.raises(HostError, match="the judge is gone"):
        list(judges.run([job(0, "ada"), job(1, "bad"), *many]))
    assert all(fake.closed for fake in FakeJudge.made)


def test_if_no_judge_can_start_every_piece_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: FakeJudge, *_: object, submissions: int) -> Environment:
        raise HostError("no sandbox here")

    monkeypatch.setattr(FakeJudge, "start", start)
    with make() as judges:
        with pytest.raises(HostError, match="no sandbox here"):
            list(judges.run([job(0, "ada", *NAMES)]))
        with pytest.raises(HostError, match="no sandbox here"):
            _ = judges.environment


def test_a_start_that_failed_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine may be short of memory for a minute. What waited then is lost, and no more."""
    tries, asked, start = [HostError("no memory")], threading.Event(), FakeJudge.start

    def sometimes(self: FakeJudge, *_: object, submissions: int) -> Environment:
        assert asked.wait(PATIENT)
        if tries:
            raise tries.pop()
        return start(self, submissions=submissions)

    monkeypatch.setattr(FakeJudge, "start", sometimes)
    own = Job(job(0, "ada", NAMES[0]).submission, NAMES[:1])
    with make(1) as judges:
        (piece,) = judges.submit(own)
        asked.set()
        with pytest.raises(HostError, match="no memory"):
            piece.result.result(PATIENT)
        (piece,) = judges.submit(own)
        assert piece.result.result(PATIENT)[0].outcome is Outcome.PASSED
    tries.append(HostError("no memory"))
    with make(1) as judges:
        while not judges._environment.done():
            time.sleep(0.01)
        assert judges.environment.jax == ""  # it asks for a judge itself
    assert all(fake.closed for fake in FakeJudge.made)


def test_a_free_slot_takes_the_oldest_piece() -> None:
    work = slots._Work(2)
    pieces = [Piece(job(n, str(n)), Future()) for n in range(3)]
    for piece in pieces:
        work.put(0, piece)
    assert [work.take(slot) for slot in (1, 0, 1)] == pieces


def test_closing_the_results_ends_what_is_being_judged() -> None:
    SLOW.clear()
    with make() as judges:
        results = judges.run([job(0, "ada"), *(job(n, "slow") for n in range(1, 50))])
        next(results)
        assert SLOW.wait(PATIENT)
        results.close()
        assert any(fake.interruptions for fake in FakeJudge.made)
    assert all(fake.closed for fake in FakeJudge.made)


def test_a_cancelled_piece_is_ended_and_the_slot_goes_on() -> None:
    SLOW.clear()
    with make(1) as judges:
        (slow,) = judges.submit(Job(Submission("slow", ""), NAMES[:1]))
        (waiting,) = judges.submit(Job(Submission("slow", ""), NAMES[:1]))
        (next_one,) = judges.submit(Job(Submission("ada", ""), NAMES[:1]))
        assert SLOW.wait(PATIENT)
        judges.cancel(waiting)
        judges.cancel(slow)
        with pytest.raises(HostError, match="in the middle"):
            slow.result.result(PATIENT)
        assert waiting.result.cancelled()
        assert [result.id for result in next_one.result.result(PATIENT)] == [NAMES[0]]


def test_a_judge_that_was_launched_ahead_is_the_first() -> None:
    ahead: Any = FakeJudge("none")
    with slots.Slots(Path("catalog"), EXERCISES, Terms("none", "1"), 1, ahead=ahead) as judges:
        list(judges.run([job(0, "ada", NAMES[0])]))
    assert FakeJudge.made == [ahead]
    assert ahead.judged and ahead.closed


def test_a_long_job_is_judged_in_pieces_that_can_be_kept() -> None:
    many = tuple(f"a/e{n}" for n in range(25))
    pieces = list(cut(Job(Submission("ada", ""), many, 7), many))
    assert [len(piece.exercises) for piece in pieces] == [10, 10, 5]
    assert sum((piece.exercises for piece in pieces), ()) == many
    assert {piece.number for piece in pieces} == {7}


def test_little_memory_means_few_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_free_memory", lambda: 1 << 20)
    assert slots.default_slots() == 1

"""A student's value can't take the judge's time or memory without end."""

from __future__ import annotations

import contextlib
import math
import resource
import signal
import time

import numpy as np
import pytest

from grader.engine.judge import budget, outcome
from grader.engine.judge.budget import OwnWork
from grader.engine.processes import faults
from grader.feedback import silent
from grader.records.model import Advice, ExerciseResult, Outcome

ENOUGH = 600.0


def spend(seconds: float = math.inf) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_too_many_seconds_are_the_students_fault() -> None:
    with pytest.raises(faults.TimedOut, match="takes too long to check"), OwnWork(0.05).bounded():
        spend()


def test_the_tests_of_an_exercise_share_the_seconds() -> None:
    work = OwnWork(0.5)

    def tests() -> None:
        while True:
            with work.bounded():
                spend(0.1)

    with pytest.raises(faults.TimedOut):
        tests()
    with pytest.raises(faults.TimedOut), work.bounded():
        spend()


def test_a_suite_that_catches_the_fault_gets_it_again() -> None:
    def stubborn() -> None:
        with contextlib.suppress(faults.TimedOut):
            spend()
        spend()

    with pytest.raises(faults.TimedOut), OwnWork(0.05).bounded():
        stubborn()


def test_waiting_costs_nothing() -> None:
    work, before = OwnWork(ENOUGH), time.process_time()
    with work.bounded():
        time.sleep(0.5)
    # The kernel's timer counts in ticks, so it may differ from the process's clock.
    assert ENOUGH - work._left <= time.process_time() - before + 0.25


def test_too_much_memory_is_an_error() -> None:
    with pytest.raises(MemoryError), OwnWork(memory=100 << 20).bounded():
        np.ones(200 << 20, np.uint8)
    assert np.ones(200 << 20, np.uint8)[-1] == 1


def test_the_tests_of_an_exercise_share_the_memory() -> None:
    work = OwnWork(memory=300 << 20)
    with work.bounded():
        kept = np.ones(200 << 20, np.uint8)
    with pytest.raises(MemoryError), work.bounded():
        np.ones(200 << 20, np.uint8)
    assert kept[-1] == 1


def test_everything_is_as_before_afterwards() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF)
    with pytest.raises(faults.TimedOut), OwnWork(0.02).bounded():
        spend()
    assert (resource.getrlimit(resource.RLIMIT_DATA), signal.getsignal(signal.SIGPROF)) == before
    spend(0.1)  # no timer is left


@pytest.mark.parametrize("spends", ["seconds", "memory"])
def test_advice_that_takes_too_much_is_dropped(
    monkeypatch: pytest.MonkeyPatch, spends: str
) -> None:
    def findings(*_: object) -> tuple[Advice, ...]:
        if spends == "memory":
            np.ones(6 << 30, np.uint8)
        spend()
        return (Advice("x", "Never told."),)

    monkeypatch.setattr(budget, "ADVICE_SECONDS", 0.05 if spends == "seconds" else ENOUGH)
    monkeypatch.setattr(silent, "findings", findings)
    result = ExerciseResult("a/x", Outcome.FAILED, 0.0, 1.0)
    assert outcome.advised(result, "") == result


def test_advice_in_time_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    told = (Advice("x", "Told."),)
    monkeypatch.setattr(silent, "findings", lambda *_: told)
    result = ExerciseResult("a/x", Outcome.FAILED, 0.0, 1.0)
    assert outcome.advised(result, "").findings == told

"""What a call is charged: the time of the student's code, whatever else the machine does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from grader.errors import HostError
from grader.judge import clock as clocks
from grader.judge.clock import Budget, Clock
from grader.judge.processes import seconds_used, seconds_waited, seconds_waited_here
from grader.model import MOST_CROWDED

SPINS = "import time\nprint(flush=True)\nwhile time.process_time() < 0.3: pass\ninput()"


class Machine:
    """Two cores and one child, whose times a test sets."""

    wall = used = waited = waited_here = 0.0
    looks = 0

    def passes(
        self, seconds: float, used: float = 0, waited: float = 0, waited_here: float = 0
    ) -> None:
        self.wall += seconds
        self.used += used
        self.waited += waited
        self.waited_here += waited_here

    def look(self, _: int) -> float:
        self.looks += 1
        return self.waited


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(time, "monotonic", lambda: made.wall)
    monkeypatch.setattr(clocks, "seconds_used", lambda _: made.used)
    monkeypatch.setattr(clocks, "seconds_waited", made.look)
    monkeypatch.setattr(clocks, "seconds_waited_here", lambda: made.waited_here)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    return made


Call = Callable[..., float]


@pytest.fixture
def call(machine: Machine) -> Call:
    """One call of the child: what it was charged."""
    clock = Clock(1)

    def call(seconds: float, **times: float) -> float:
        budget = Budget(100.0)
        clock.start()
        machine.passes(seconds, **times)
        clock.charge([budget])
        assert budget.wall_seconds == pytest.approx(100 * MOST_CROWDED - seconds)
        return 100 - budget.seconds

    return call


def test_work_and_sleep_are_charged(call: Call) -> None:
    assert call(3, used=3) == pytest.approx(3)
    assert call(3) == pytest.approx(3)


def test_waiting_for_a_core_is_not_charged(call: Call) -> None:
    assert call(8, used=1, waited=7) == pytest.approx(1)
    assert call(8, used=1, waited=5) == pytest.approx(3)


def test_what_the_judge_waited_is_not_charged(call: Call) -> None:
    assert call(8, used=1, waited_here=7) == pytest.approx(1)


def test_what_was_waited_between_two_calls_is_charged(machine: Machine, call: Call) -> None:
    call(1, used=1)
    machine.waited_here += 5
    assert call(8, used=1) == pytest.approx(8)


def test_many_short_calls_are_charged_like_a_long_one(call: Call) -> None:
    charged = sum(call(0.008, used=0.001, waited=0.007) for _ in range(1000))
    assert charged == pytest.approx(1, rel=0.1)


def test_short_calls_on_a_free_machine_are_cheap_to_time(machine: Machine, call: Call) -> None:
    for _ in range(400):
        call(0.001, used=0.0009)
    assert machine.looks == 1


def test_sleep_is_charged_in_many_short_calls(call: Call) -> None:
    assert sum(call(0.02) for _ in range(100)) == pytest.approx(2)


def test_threads_that_wait_beside_each_other_are_charged_for_the_cores(call: Call) -> None:
    """100 threads on two cores: each waits nearly all the time, but the cores are busy."""
    assert call(10, used=20, waited=980) == pytest.approx(10)
    assert call(10, used=4, waited=996) == pytest.approx(2)


def test_a_thread_that_ended_takes_nothing_off(machine: Machine, call: Call) -> None:
    machine.waited = 5
    call(1, used=1)
    machine.waited = 0
    assert call(1) == pytest.approx(1)


def test_time_is_over_when_the_charged_time_is_spent(machine: Machine) -> None:
    clock, budgets = Clock(1), [Budget(5), Budget(2)]
    clock.start()
    machine.passes(1.9)
    assert not clock.is_over(budgets)
    machine.passes(8, used=0.05, waited=7.95)
    assert not clock.is_over(budgets)
    machine.passes(0.1)
    assert clock.is_over(budgets)


def test_a_machine_that_is_too_busy_is_nobodys_fault(machine: Machine) -> None:
    clock, budgets = Clock(1), [Budget(2)]
    clock.start()
    machine.passes(2 * MOST_CROWDED, used=0.1, waited=2 * MOST_CROWDED)
    assert not clock.is_over(budgets)
    machine.passes(0.1, waited=0.1)
    with pytest.raises(HostError, match="--jobs"):
        clock.is_over(budgets)


@pytest.fixture
def rivals() -> Iterator[list[subprocess.Popen[str]]]:
    """Two processes that work on the same core, and then wait for input."""
    core = min(os.sched_getaffinity(0))
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SPINS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
        os.sched_setaffinity(process.pid, {core})
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_the_kernel_tells_what_processes_used_and_waited(
    rivals: list[subprocess.Popen[str]],
) -> None:
    while any(seconds_used(rival.pid) < 0.3 for rival in rivals):
        pass
    for rival in rivals:
        assert seconds_used(rival.pid) < 3
    assert all(seconds_waited(rival.pid) > 0.05 for rival in rivals)
    before = seconds_waited_here()
    assert 0 <= before <= seconds_waited_here()


def test_nothing_is_known_of_a_process_that_is_not_there() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert seconds_used(process.pid) == seconds_waited(process.pid) == 0

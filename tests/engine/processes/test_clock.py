"""What a call is charged: the time of the student's code, whatever else the machine does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.engine.processes import clock as clocks
from grader.engine.processes import usage
from grader.engine.processes.clock import Budget, Clock
from grader.engine.processes.faults import TooBusy
from grader.engine.processes.usage import seconds_used, seconds_waited, seconds_waited_here
from grader.records.model import MOST_CROWDED

SPINS = "print(flush=True)\nwhile True: pass"
MANY = [str(number) for number in range(100)]


class Machine:
    """Two cores and one child of two threads, whose times a test sets."""

    wall = used = waited_here = 0.0
    looks = 0

    def __init__(self) -> None:
        self.waits = {"1": 0.0, "2": 0.0}

    def passes(
        self,
        seconds: float,
        used: float = 0,
        waited: float = 0,
        waited_here: float = 0,
        other: float = 0,
        others: Iterable[str] = ("2",),
    ) -> None:
        """`waited` by the child's first thread, and `other` by each of its other ones."""
        self.wall += seconds
        self.used += used
        self.waits["1"] += waited
        self.waits |= {name: self.waits.get(name, 0.0) + other for name in others}
        self.waited_here += waited_here

    def look(self, _: int) -> dict[str, float]:
        self.looks += 1
        return dict(self.waits)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    # Not `time` itself: servers of other tests live in this process, and sleep by it.
    monkeypatch.setattr(clocks, "time", SimpleNamespace(monotonic=lambda: made.wall))
    monkeypatch.setattr(clocks, "seconds_used", lambda _: made.used)
    monkeypatch.setattr(clocks, "seconds_waited", made.look)
    monkeypatch.setattr(clocks, "seconds_waited_here", lambda: made.waited_here)
    monkeypatch.setattr(clocks, "usable_cores", lambda: 2)
    return made


Call = Callable[..., float]


@pytest.fixture
def call(machine: Machine) -> Call:
    """One call of the child: what it was charged."""
    clock = Clock(1)

    def call(seconds: float, **times: Any) -> float:
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


def test_work_that_goes_back_and_forth_between_threads_is_charged_once(call: Call) -> None:
    assert call(8, used=1, waited=3, other=4) == pytest.approx(1)


def test_parallel_work_on_a_busy_machine_is_charged_what_it_takes_on_a_free_one(
    call: Call,
) -> None:
    assert call(8, used=8, waited=4, other=4) == pytest.approx(4)


def test_what_the_judge_waited_is_not_charged(call: Call) -> None:
    assert call(8, used=1, waited_here=7) == pytest.approx(1)


def test_what_was_waited_between_two_calls_is_charged(machine: Machine, call: Call) -> None:
    call(1, used=1)
    machine.waited_here += 5
    assert call(8, used=1) == pytest.approx(8)


def test_many_short_calls_are_charged_like_a_long_one(call: Call) -> None:
    charged = sum(call(0.008, used=0.001, waited=0.007) for _ in range(1000))
    assert charged == pytest.approx(1, abs=0.25)


def test_short_calls_are_read_together(machine: Machine, call: Call) -> None:
    for _ in range(400):
        call(0.001, used=0.0009)
    assert machine.looks == 2


def test_sleep_is_charged_in_many_short_calls(call: Call) -> None:
    assert sum(call(0.02) for _ in range(100)) == pytest.approx(2)


def test_threads_that_wait_beside_each_other_are_charged_for_the_cores(call: Call) -> None:
    """100 threads on two cores: each waits nearly all the time, but the cores are busy."""
    assert call(10, used=20, other=9.8, others=MANY) == pytest.approx(10)


def test_a_burst_of_threads_doesnt_pay_for_the_sleep_that_follows(call: Call) -> None:
    assert call(3, used=6, other=2.9, others=MANY) == pytest.approx(3)
    assert call(17) == pytest.approx(17)


def test_a_burst_in_a_long_call_pays_only_for_its_own_time(machine: Machine) -> None:
    clock, budgets = Clock(1), [Budget(100)]
    clock.start()
    machine.passes(3, used=6, other=2.9, others=MANY)
    assert not clock.is_over(budgets)
    machine.passes(17)
    assert clock.seconds() == pytest.approx(20)


def test_a_thread_that_ended_takes_nothing_off(machine: Machine, call: Call) -> None:
    machine.waits["3"] = 5.0
    call(1, used=1)
    del machine.waits["3"]
    assert call(1) == pytest.approx(1)
    assert call(8, used=1, waited=7) == pytest.approx(1)


def test_a_child_on_one_core_is_charged_all_its_work(machine: Machine) -> None:
    clock, budget = Clock(1), Budget(100.0)
    clock.cores = 1
    clock.start()
    machine.passes(8, used=8, waited=4, other=4)
    clock.charge([budget])
    assert 100 - budget.seconds == pytest.approx(8)


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
    with pytest.raises(TooBusy, match="--jobs"):
        clock.is_over(budgets)


@pytest.mark.parametrize("left", [0.0, -1.0])
def test_nothing_left_is_over_even_after_a_wait(machine: Machine, left: float) -> None:
    clock = Clock(1)
    clock.start()
    machine.passes(1, waited=3)
    assert clock.is_over([Budget(left)])


@pytest.fixture
def rivals() -> Iterator[list[subprocess.Popen[str]]]:
    """Two processes of one thread that work on the same core, without an end."""
    core = min(os.sched_getaffinity(0))
    started = [
        subprocess.Popen([sys.executable, "-c", SPINS], stdout=subprocess.PIPE, text=True)
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
    def told(rival: subprocess.Popen[str]) -> tuple[float, float]:
        (waited,) = seconds_waited(rival.pid).values()
        return seconds_used(rival.pid), waited

    def gained() -> list[tuple[float, float]]:
        return [
            (used - used_before, waited - waited_before)
            for (used, waited), (used_before, waited_before) in zip(
                map(told, rivals), before, strict=True
            )
        ]

    before, began = [told(rival) for rival in rivals], time.monotonic()
    while not all(used > 0.2 and waited > 0.2 for used, waited in gained()):
        time.sleep(0.01)
    # Neither can be more than the time that has passed, nor can both together.
    assert all(used + waited <= time.monotonic() - began + 0.1 for used, waited in gained())
    before_here = seconds_waited_here()
    assert 0 <= before_here <= seconds_waited_here()


def test_nothing_is_known_of_a_process_that_is_not_there() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert seconds_used(process.pid) == 0
    assert seconds_waited(process.pid) == {}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 8),
        ({"cpu.max": "max 100000"}, 8),
        ({"cpu.max": "150000 100000"}, 2),
        ({"cpu.max": "10000 100000"}, 1),
        ({"cpu.max": "1600000 100000"}, 8),
        ({"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, 8),
    ],
)
def test_a_containers_share_of_the_cores_counts(
    files: dict[str, str], expected: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    monkeypatch.setattr(usage, "_CGROUP", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert usage.usable_cores() == expected

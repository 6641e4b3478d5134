"""What a race times has the machine for itself, and never waits for ever."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from grader.engine.race import floor as floors
from grader.engine.race.floor import Floor

PATIENT = 120.0
"""Seconds that only a failure takes."""


def test_tests_run_side_by_side(tmp_path: Path) -> None:
    with Floor(tmp_path).taken(), Floor(tmp_path).taken():
        pass


def test_a_race_waits_for_others_and_others_for_it(tmp_path: Path) -> None:
    said = []
    race_waits, late_waits = threading.Event(), threading.Event()

    def race() -> None:
        floor = Floor(tmp_path, lambda _: race_waits.set())
        with floor.taken():
            said.append("race is compiled")
            with floor.alone():
                said.append("race")
                assert late_waits.wait(PATIENT)
                said.append("race is over")

    def other() -> None:
        with Floor(tmp_path, lambda _: late_waits.set()).taken():
            said.append("other")

    with Floor(tmp_path).taken():
        racing = threading.Thread(target=race)
        racing.start()
        assert race_waits.wait(PATIENT)
        said.append("first is over")
    late = threading.Thread(target=other)
    late.start()
    racing.join(PATIENT)
    late.join(PATIENT)
    assert said == ["race is compiled", "first is over", "race", "race is over", "other"]


def test_a_test_that_hangs_keeps_a_race_waiting_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floors, "PATIENCE", 0)
    compiled, raced, others = threading.Event(), threading.Event(), threading.Event()

    def race() -> None:
        floor = Floor(tmp_path)
        with floor.taken():
            compiled.set()
            with floor.alone():
                raced.set()

    def other() -> None:
        for _ in range(20):
            with Floor(tmp_path).taken():
                pass
        others.set()

    with Floor(tmp_path).taken():
        racing, coming = (threading.Thread(target=work, daemon=True) for work in (race, other))
        racing.start()
        assert compiled.wait(PATIENT)
        coming.start()
        assert others.wait(PATIENT)
        assert not raced.is_set()
    assert raced.wait(PATIENT)


def test_the_rest_of_its_test_runs_beside_others(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    with floor.taken():
        with floor.alone():
            pass
        with Floor(tmp_path).taken():
            pass
        # A race of several launches is alone several times.
        with floor.alone():
            pass


def test_races_that_are_compiled_together_run_one_after_the_other(tmp_path: Path) -> None:
    """While one is alone, each of the others waits for the floor, or is over."""
    together, changed = threading.Barrier(4), threading.Condition()
    waiting = over = alone = most = 0

    def tell(waits: bool) -> None:
        nonlocal waiting
        with changed:
            waiting += 1 if waits else -1
            changed.notify_all()

    def race() -> None:
        nonlocal alone, most, over
        floor = Floor(tmp_path, tell)
        with floor.taken():
            together.wait(PATIENT)
            for _ in range(3):
                with floor.alone(), changed:
                    alone += 1
                    most = max(most, alone)
                    assert changed.wait_for(lambda: waiting + over == 3, PATIENT)
                    alone -= 1
        with changed:
            over += 1
            changed.notify_all()

    racing = [threading.Thread(target=race, daemon=True) for _ in range(4)]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join(2 * PATIENT)
    assert not any(thread.is_alive() for thread in racing)
    assert most == 1


def test_it_tells_when_a_test_has_to_wait(tmp_path: Path) -> None:
    said: list[bool] = []
    waiting = threading.Event()

    def tell(waits: bool) -> None:
        said.append(waits)
        waiting.set()

    def race() -> None:
        floor = Floor(tmp_path, tell)
        with floor.taken(), floor.alone():
            pass

    with Floor(tmp_path, tell).taken():
        assert said == []
        racing = threading.Thread(target=race)
        racing.start()
        assert waiting.wait(PATIENT)
        assert said == [True]
    racing.join(PATIENT)
    assert said == [True, False]


def test_a_race_gets_its_turn_among_many_who_come_and_go(tmp_path: Path) -> None:
    stop, raced = threading.Event(), threading.Event()

    def busy() -> None:
        floor = Floor(tmp_path)
        while not stop.is_set():
            with floor.taken():
                stop.wait(0.002)

    def race() -> None:
        floor = Floor(tmp_path)
        with floor.taken(), floor.alone():
            raced.set()

    others = [threading.Thread(target=busy) for _ in range(8)]
    for thread in others:
        thread.start()
    racing = threading.Thread(target=race)
    racing.start()
    try:
        assert raced.wait(PATIENT)
    finally:
        stop.set()
        for thread in [*others, racing]:
            thread.join(PATIENT)
